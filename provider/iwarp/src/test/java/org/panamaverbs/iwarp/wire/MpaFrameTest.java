package org.panamaverbs.iwarp.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.testkit.Requirement;

class MpaFrameTest {
    private static final int FLAGS = 16;
    private static final int REVISION = 17;
    private static final int PD_LENGTH = 18;

    @Test
    void asksForMoreUntilTheFrameIsComplete() {
        byte[] wire = Samples.bytes("M04");
        for (int available = 0; available < MpaFrame.HEADER_BYTES; available++) {
            assertThat(parse(wire, available, false))
                    .isEqualTo(new MpaFrame.NeedMore(MpaFrame.HEADER_BYTES - available));
        }
        for (int available = MpaFrame.HEADER_BYTES; available < wire.length; available++) {
            assertThat(parse(wire, available, false)).isEqualTo(new MpaFrame.NeedMore(wire.length - available));
        }
        assertThat(parse(wire, wire.length, false)).isInstanceOf(MpaFrame.Frame.class);
    }

    @Test
    void leavesWhatFollowsToTheStream() {
        byte[] wire = Samples.bytes("M02");
        byte[] longer = Arrays.copyOf(wire, wire.length + 100);
        assertThat(parse(longer, longer.length, true)).isEqualTo(parse(wire, wire.length, true));
        assertThat(frame(longer, true)).extracting(MpaFrame.Frame::bytes).isEqualTo(wire.length);
    }

    @Test
    void readsAtAnyOffset() {
        byte[] wire = Samples.bytes("M05");
        byte[] shifted = new byte[wire.length + 3];
        System.arraycopy(wire, 0, shifted, 3, wire.length);
        assertThat(MpaFrame.parse(MemorySegment.ofArray(shifted), 3, wire.length, true))
                .isEqualTo(parse(wire, wire.length, true));
    }

    @Test
    @Requirement("MPA-7.1.1-02")
    void refusesAWrongKeyAtItsFirstWrongOctet() {
        for (int at = 0; at < MpaFrame.KEY_BYTES; at++) {
            byte[] wire = Samples.bytes("M01");
            wire[at] ^= 0x20;
            assertThat(parse(wire, at, false)).isEqualTo(new MpaFrame.NeedMore(MpaFrame.HEADER_BYTES - at));
            assertDefect(wire, at + 1, false, MpaFrame.Defect.KEY);
            assertDefect(wire, wire.length, false, MpaFrame.Defect.KEY);
        }
    }

    @Test
    @Requirement("MPA-7.1.2-8-01")
    void noticesTwoInitiatorsOrTwoResponders() {
        assertDefect(Samples.bytes("M01"), MpaFrame.HEADER_BYTES, true, MpaFrame.Defect.ROLE);
        assertDefect(Samples.bytes("M02"), MpaFrame.HEADER_BYTES, false, MpaFrame.Defect.ROLE);
        // "MPA ID Re" is common to both keys.
        assertThat(parse(Samples.bytes("M01"), 9, true)).isInstanceOf(MpaFrame.NeedMore.class);
        assertDefect(Samples.bytes("M01"), 10, true, MpaFrame.Defect.ROLE);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 127, 128, 255})
    void refusesUnknownRevisions(int revision) {
        byte[] wire = Samples.bytes("M01");
        wire[REVISION] = (byte) revision;
        assertDefect(wire, wire.length, false, MpaFrame.Defect.REVISION);
        assertThat(parse(wire, wire.length, false).toString()).contains("MPA revision " + revision);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void acceptsKnownRevisions(int revision) {
        byte[] wire = Samples.bytes("M01");
        wire[REVISION] = (byte) revision;
        assertThat(frame(wire, false).frame().revision()).isEqualTo(revision);
        assertThat(frame(wire, false).frame().enhanced()).isFalse();
    }

    @Test
    @Requirement({"MPA-7.1.1-16", "MPA-7.1.2-9-01"})
    void limitsPrivateDataBeforeItArrives() {
        byte[] wire = Arrays.copyOf(Samples.bytes("M01"), MpaFrame.HEADER_BYTES + 513);
        setLength(wire, 512);
        assertThat(parse(wire, MpaFrame.HEADER_BYTES, false)).isEqualTo(new MpaFrame.NeedMore(512));
        assertThat(frame(wire, false).frame().privateData().size()).isEqualTo(512);
        setLength(wire, 513);
        assertDefect(wire, MpaFrame.HEADER_BYTES, false, MpaFrame.Defect.PRIVATE_DATA_LENGTH);
        setLength(wire, 0xFFFF);
        assertDefect(wire, MpaFrame.HEADER_BYTES, false, MpaFrame.Defect.PRIVATE_DATA_LENGTH);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    @Requirement("ENH-6-07")
    void demandsRoomForTheEnhancedBlock(int length) {
        byte[] wire = Samples.bytes("M06");
        setLength(wire, length);
        assertDefect(wire, MpaFrame.HEADER_BYTES, false, MpaFrame.Defect.ENHANCED_BLOCK);
    }

    @Test
    @Requirement({"ENH-6-02", "ENH-6-03"})
    void honoursTheEnhancedBitWithRevisionTwoOnly() {
        for (int revision = 0; revision <= 1; revision++) {
            byte[] wire = Samples.bytes("M06");
            wire[REVISION] = (byte) revision;
            MpaFrame frame = frame(wire, false).frame();
            assertThat(frame.block()).isNull();
            assertThat(frame.privateData()).hasToString("00800080");
            setLength(wire, 1);
            assertThat(frame(wire, false).frame().privateData().size()).isEqualTo(1);
        }
    }

    @Test
    void ignoresReservedBitsAndRejectInARequest() {
        byte[] wire = Samples.bytes("M01");
        wire[FLAGS] |= 0x2F;
        MpaFrame frame = frame(wire, false).frame();
        assertThat(frame).isEqualTo(frame(Samples.bytes("M01"), false).frame());
        assertThat(frame.encode()).isEqualTo(Samples.bytes("M01"));
    }

    @Test
    @Requirement({"ENH-6-03", "ENH-7-01"})
    void refusesFramesThatHaveNoEncoding() {
        EnhancedBlock block = EnhancedBlock.clientServer(1, 1);
        assertThatThrownBy(() -> new MpaFrame(true, false, true, false, 1, null, Octets.of(new byte[513])))
                .hasMessageContaining("513 octets, limit 512");
        assertThatThrownBy(() -> new MpaFrame(true, false, true, false, 2, block, Octets.of(new byte[509])))
                .hasMessageContaining("513 octets, limit 512");
        assertThatThrownBy(() -> new MpaFrame(true, false, true, false, 3, null, Octets.EMPTY))
                .hasMessageContaining("revision 3");
        assertThatThrownBy(() -> new MpaFrame(true, false, true, false, -1, null, Octets.EMPTY))
                .hasMessageContaining("revision -1");
        assertThatThrownBy(() -> new MpaFrame(true, false, true, false, 1, block, Octets.EMPTY))
                .hasMessageContaining("needs MPA revision 2");
        assertThatThrownBy(() -> new MpaFrame(false, false, true, true, 1, null, Octets.EMPTY))
                .hasMessageContaining("only a Reply");
        assertThatThrownBy(() -> EnhancedBlock.clientServer(0x4000, 0)).hasMessageContaining("IRD 16384");
        assertThatThrownBy(() -> EnhancedBlock.clientServer(0, -1)).hasMessageContaining("ORD -1");
    }

    @Test
    void readsBackWhateverItWrites() {
        Random random = new Random(6581);
        for (int round = 0; round < 2_000; round++) {
            MpaFrame frame = randomFrame(random);
            byte[] wire = frame.encode();
            assertThat(parse(wire, wire.length, frame.reply())).isEqualTo(new MpaFrame.Frame(frame, wire.length));
        }
    }

    @Test
    void readsBackEveryBlock() {
        Random random = new Random(14);
        for (int round = 0; round < 10_000; round++) {
            int word = random.nextInt();
            EnhancedBlock block = EnhancedBlock.decode(word);
            assertThat(block.encode()).isEqualTo(word);
            assertThat(block.hasRtr()).isEqualTo((word & 0x4000C000) != 0);
        }
        assertThat(EnhancedBlock.decode(-1).ird()).isEqualTo(EnhancedBlock.NOT_NEGOTIATED);
        assertThat(EnhancedBlock.decode(-1).ord()).isEqualTo(EnhancedBlock.NOT_NEGOTIATED);
    }

    @Test
    void neverThrowsOnPeerBytes() {
        Random random = new Random(1);
        byte[] wire = Arrays.copyOf(Samples.bytes("M04"), MpaFrame.MAX_BYTES);
        for (int round = 0; round < 20_000; round++) {
            byte[] mutated = wire.clone();
            for (int flips = random.nextInt(3); flips >= 0; flips--) {
                mutated[random.nextInt(40)] = (byte) random.nextInt();
            }
            int available = random.nextInt(mutated.length + 1);
            MpaFrame.Parsed parsed = parse(Arrays.copyOf(mutated, available), available, random.nextBoolean());
            if (parsed instanceof MpaFrame.Frame frame) {
                assertThat(frame.bytes()).isBetween(MpaFrame.HEADER_BYTES, available);
            } else if (parsed instanceof MpaFrame.NeedMore more) {
                assertThat(more.bytes()).isBetween(1, MpaFrame.MAX_BYTES);
            }
        }
    }

    private static MpaFrame randomFrame(Random random) {
        boolean reply = random.nextBoolean();
        int revision = random.nextInt(3);
        EnhancedBlock block = revision == 2 && random.nextBoolean() ? EnhancedBlock.decode(random.nextInt()) : null;
        byte[] data = new byte[random.nextInt(block == null ? 513 : 509)];
        random.nextBytes(data);
        boolean reject = reply && random.nextBoolean();
        return new MpaFrame(
                reply, random.nextBoolean(), random.nextBoolean(), reject, revision, block, Octets.of(data));
    }

    private static void setLength(byte[] wire, int length) {
        wire[PD_LENGTH] = (byte) (length >>> 8);
        wire[PD_LENGTH + 1] = (byte) length;
    }

    private static void assertDefect(byte[] wire, int available, boolean expectReply, MpaFrame.Defect defect) {
        assertThat(parse(wire, available, expectReply)).isInstanceOfSatisfying(MpaFrame.Malformed.class, malformed -> {
            assertThat(malformed.defect()).isEqualTo(defect);
            assertThat(malformed.reason()).isNotBlank();
        });
    }

    private static MpaFrame.Frame frame(byte[] wire, boolean expectReply) {
        MpaFrame.Parsed parsed = parse(wire, wire.length, expectReply);
        assertThat(parsed).isInstanceOf(MpaFrame.Frame.class);
        return (MpaFrame.Frame) parsed;
    }

    private static MpaFrame.Parsed parse(byte[] wire, int available, boolean expectReply) {
        return MpaFrame.parse(MemorySegment.ofArray(wire), 0, available, expectReply);
    }
}
