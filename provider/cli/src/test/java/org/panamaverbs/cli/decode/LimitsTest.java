package org.panamaverbs.cli.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.cli.decode.iwarp.Assumption;
import org.panamaverbs.cli.decode.iwarp.Event;
import org.panamaverbs.cli.decode.tcp.Budget;

/** Captures that ask for more memory or time than there is. The time limit only ends what would never end. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LimitsTest {
    private Budget budget = new Budget(1 << 20);
    private final List<Event> events = new ArrayList<>();

    private void decode(byte[] capture) throws IOException {
        EventPrinter printer = new EventPrinter() {
            @Override
            public void event(Event event, long firstNanos) {
                events.add(event);
            }

            @Override
            public void summary(Summary summary) {}
        };
        PrintWriter out = new PrintWriter(Writer.nullWriter());
        new Decoder(printer, new Filter(Set.of(), Set.of()), Assumption.NONE, budget)
                .decode(new ByteArrayInputStream(capture), new Progress(out, 0), false, out);
        assertThat(budget.heldBytes()).isZero();
    }

    private static CaptureBuilder connections(int count, byte[] octets) {
        CaptureBuilder all = new CaptureBuilder();
        for (int port = 1; port <= count; port++) {
            all.with(new CaptureBuilder(port, port)
                    .open()
                    .send(Fpdus.mpa(false, true, false))
                    .answer(Fpdus.mpa(true, true, false))
                    .sendInPieces(octets, 1448));
        }
        return all;
    }

    /** Octets in which every so many can be the first of an FPDU: its length and a Write. */
    private static byte[] trap(int size, int period, int ulpduLength) {
        byte[] trap = new byte[size];
        for (int at = 0; at + 4 <= trap.length; at += period) {
            trap[at] = (byte) (ulpduLength >>> 8);
            trap[at + 1] = (byte) ulpduLength;
            trap[at + 2] = (byte) 0xC1;
            trap[at + 3] = 0x40;
        }
        return trap;
    }

    @Test
    void holdsALimitedAmountHoweverManyFpdusAreBegun() throws IOException {
        decode(connections(100, Arrays.copyOf(new Fpdus().send(60_000, 1).octets(), 50_000))
                .pcap());

        List<String> notes = events.stream()
                .filter(Event.Note.class::isInstance)
                .map(event -> ((Event.Note) event).text())
                .toList();
        assertThat(notes).hasSizeGreaterThanOrEqualTo(100);
        assertThat(notes)
                .anyMatch(note -> note.contains("the memory for incomplete messages is used up"))
                .anyMatch(note -> note.startsWith("ends within an FPDU: 50000 of"));
    }

    @Test
    void keepsNothingOfFpdusThatAreDone() throws IOException {
        decode(connections(200, new Fpdus().send(60_000, 1).octets()).pcap());

        assertThat(events).hasSize(3 * 200).allMatch(Event.Unit.class::isInstance);
    }

    @Test
    void forgetsRequestsThatNobodyAnswers() throws IOException {
        CaptureBuilder capture = new CaptureBuilder().open().send(Fpdus.mpa(false, true, false));
        capture.answer(Fpdus.mpa(true, true, false));
        int requests = 20_000; // 64 octets each are more than the budget
        for (int i = 1; i <= requests; i++) {
            capture.send(Ulpdus.readRequest(i, 1, 0, 4));
        }
        capture.answer(Ulpdus.readResponse(7, 7, 7)[0]);
        decode(capture.pcap());

        assertThat(events)
                .hasSize(2 + requests + 1)
                .allSatisfy(event -> assertThat(event)
                        .isInstanceOfSatisfying(
                                Event.Unit.class,
                                unit -> assertThat(unit.problems()).isEmpty()));
    }

    @Test
    void looksForTheRequestOfAnAnswerAmongAFew() throws IOException {
        CaptureBuilder capture = new CaptureBuilder().open().send(Fpdus.mpa(false, true, false));
        capture.answer(Fpdus.mpa(true, true, false));
        int requests = 10_000;
        for (int i = 1; i <= requests; i++) {
            capture.send(Ulpdus.readRequest(i, i, 0, 4));
        }
        for (int i = requests; i > 0; i--) { // the wrong way round, so that each is searched for
            capture.answer(Ulpdus.readResponse(i, 0, 4)[0]);
        }
        decode(capture.pcap());

        assertThat(events)
                .filteredOn(event ->
                        event instanceof Event.Unit unit && !unit.problems().isEmpty())
                .hasSize(1);
    }

    @Test
    void findsFpdusBehindManyCandidatesInSegmentsOfAnOctet() throws IOException {
        budget = new Budget(Decoder.MAX_HELD_BYTES);
        CaptureBuilder capture = new CaptureBuilder().open().send(Fpdus.mpa(false, false, false));
        capture.answer(Fpdus.mpa(true, false, false)).send(new byte[16]);
        // Many may be the right one till the third of a chain has come, 99,072 octets behind the first.
        decode(capture.sendInPieces(trap(110_000, 128, 49_530), 1).pcap());

        assertThat(events)
                .anyMatch(
                        event -> event instanceof Event.Note note && note.text().startsWith("the framing is lost"))
                .anyMatch(
                        event -> event instanceof Event.Note note && note.text().startsWith("FPDUs are found"));
    }

    @Test
    void givesUpWhereEverythingLooksLikeAnFpdu() throws IOException {
        CaptureBuilder capture = new CaptureBuilder().open().send(Fpdus.mpa(false, true, false));
        capture.answer(Fpdus.mpa(true, true, false)).send(new byte[8]).sendInPieces(trap(2 << 20, 4, 0xC140), 60_000);
        decode(capture.pcap());

        assertThat(events)
                .last()
                .isInstanceOfSatisfying(
                        Event.Note.class,
                        note -> assertThat(note.text())
                                .isEqualTo("no FPDU is found: this direction is no longer followed"));
    }
}
