package org.panamaverbs.iwarp.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.iwarp.wire.ShmAnswer.Outcome;

/** The octets of the Offer of shared memory and of its Answer. */
class ShmOfferTest {
    private static final String NAME = "000102030405060708090a0b0c0d0e0f";
    private static final String TOKEN = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff";
    // The octet D7, then "PVERBS SHM Offr".
    private static final String OFFER = "d750564552425320" + "53484d204f666672" + "01000000" + NAME + TOKEN;
    // The octet D7, then "PVERBS SHM Answ".
    private static final String ANSWER_KEY = "d750564552425320" + "53484d20416e7377";

    private static Octets octets(String hex) {
        return Octets.of(HexFormat.of().parseHex(hex));
    }

    private static String hex(ByteBuffer octets) {
        byte[] all = new byte[octets.remaining()];
        octets.get(all);
        return HexFormat.of().formatHex(all);
    }

    private static ByteBuffer buffer(String hex) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    }

    @Test
    void offerHasTheseOctets() {
        ShmOffer offer = new ShmOffer(ShmOffer.VERSION, ShmOffer.ABSTRACT, octets(NAME), octets(TOKEN));

        assertThat(hex(offer.encode())).isEqualTo(OFFER).hasSize(2 * ShmOffer.BYTES);
        assertThat(ShmOffer.parse(buffer(OFFER))).isEqualTo(offer);
    }

    @Test
    void reservedOctetsOfAnOfferAreIgnored() {
        String other = OFFER.substring(0, 36) + "beef" + OFFER.substring(40);
        assertThat(ShmOffer.parse(buffer(other))).isEqualTo(ShmOffer.parse(buffer(OFFER)));
    }

    @Test
    void versionAndNameSpaceOfAnOfferAreWhatTheyAre() {
        String other = OFFER.substring(0, 32) + "ff07" + OFFER.substring(36);
        assertThat(ShmOffer.parse(buffer(other))).isEqualTo(new ShmOffer(255, 7, octets(NAME), octets(TOKEN)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 15})
    void anotherKeyIsNoOfferAndNoAnswer(int index) {
        ByteBuffer offer = buffer(OFFER);
        assertThat(ShmOffer.parse(offer.put(index, (byte) (offer.get(index) ^ 1))))
                .isNull();
        ByteBuffer answer = buffer(ANSWER_KEY + "01000000");
        assertThat(ShmAnswer.parse(answer.put(index, (byte) (answer.get(index) ^ 1))))
                .isNull();
    }

    @Test
    void anOfferIsNoAnswerNorTheReverse() {
        assertThat(ShmAnswer.parse(buffer(OFFER))).isNull();
        assertThat(ShmOffer.parse(buffer(ANSWER_KEY + "01000000" + NAME + TOKEN)))
                .isNull();
    }

    @Test
    void namesAndTokensHaveSixteenOctets() {
        assertThatThrownBy(() -> new ShmOffer(1, 0, octets(NAME), octets("00")))
                .hasMessageContaining("16 and 1 octets");
    }

    @ParameterizedTest
    @EnumSource
    void answerHasTheseOctets(Outcome outcome) {
        ShmAnswer answer = new ShmAnswer(ShmOffer.VERSION, outcome);
        String hex =
                ANSWER_KEY + "01" + "%02x".formatted(List.of(Outcome.values()).indexOf(outcome)) + "0000";

        assertThat(hex(answer.encode())).isEqualTo(hex).hasSize(2 * ShmAnswer.BYTES);
        assertThat(ShmAnswer.parse(buffer(hex))).isEqualTo(answer);
    }

    @Test
    void numbersOfOutcomesStay() {
        assertThat(Outcome.values())
                .containsExactly(
                        Outcome.TAKEN,
                        Outcome.VERSION,
                        Outcome.UNREACHABLE,
                        Outcome.USER,
                        Outcome.RESOURCES,
                        Outcome.NOT_KEPT,
                        Outcome.OTHER);
    }

    @Test
    void anUnknownOutcomeDeclines() {
        assertThat(ShmAnswer.parse(buffer(ANSWER_KEY + "01fe0000"))).isEqualTo(new ShmAnswer(1, Outcome.OTHER));
    }
}
