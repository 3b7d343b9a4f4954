package org.panamaverbs.cli.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.cli.decode.capture.CaptureException;
import org.panamaverbs.cli.decode.iwarp.Assumption;
import org.panamaverbs.cli.decode.iwarp.Event;
import org.panamaverbs.cli.decode.tcp.Budget;
import org.panamaverbs.iwarp.wire.Opcode;

/**
 * Captures that somebody or something has damaged: each is decoded to its end or refused, in bounded time, and never
 * with an exception of another kind. {@code -Ddecode.seed=N} replays one, {@code -Ddecode.cases=N} tries another number
 * of them.
 */
class MutationTest {
    private static final int CASES = Integer.getInteger("decode.cases", 4_000);
    private static final int FILE_HEADER = 24;
    private static final int PACKET_HEADER = 16;

    private static final Writer NOWHERE = Writer.nullWriter();

    private final List<byte[]> originals = new ArrayList<>();

    MutationTest() {
        for (Path capture : Decoded.captures()) {
            originals.add(Decoded.octets(capture.getFileName().toString().replace(".pcap", "")));
        }
        CaptureBuilder large = new CaptureBuilder().open();
        large.send(Fpdus.mpa(false, true, false)).answer(Fpdus.mpa(true, true, true));
        large.sendInPieces(
                new Fpdus(true, true).send(3000, 1).send(9000, 2).send(0, 3).octets(), 1448);
        large.answer(new Fpdus().send(300, 4).send(5, 5).octets());
        CaptureBuilder middle = new CaptureBuilder(50_000, 5);
        large.with(middle.sendInPieces(
                new Fpdus(false, false).send(700, 6).send(3000, 7).send(1, 8).octets(), 1000));
        originals.add(large.pcap());
        originals.add(conversation().pcap());
        originals.addAll(originals.stream().map(MutationTest::pcapng).toList());
    }

    /** Messages of several segments, and requests with their answers. */
    private static CaptureBuilder conversation() {
        CaptureBuilder capture = new CaptureBuilder().open().send(Fpdus.mpa(false, 2));
        capture.answer(Fpdus.mpa(true, 2));
        for (int i = 1; i <= 6; i++) {
            capture.send(Ulpdus.readRequest(2 * i - 1, i, 0, 90)).send(Ulpdus.fetchAdd(2 * i, i));
            capture.send(Ulpdus.untagged(Opcode.SEND, i, 0, 40, false));
            capture.send(Ulpdus.tagged(Opcode.RDMA_WRITE, i, 0, 40, false));
            for (byte[] fpdu : Ulpdus.readResponse(i, 0, 30, 30, 30)) {
                capture.answer(fpdu);
            }
            capture.send(Ulpdus.untagged(Opcode.SEND, i, 40, 20, true));
            capture.send(Ulpdus.tagged(Opcode.RDMA_WRITE, i, 40, 20, true));
            capture.answer(Ulpdus.atomicResponse(i, i)).answer(Ulpdus.immediate(i));
        }
        return capture.answer(Ulpdus.untagged(Opcode.TERMINATE, 1, 0, 4, true)).close();
    }

    @Test
    void theConversationIsSound() {
        assertThat(Decoded.of(conversation().pcap()).problems()).isEmpty();
    }

    /** The packets of a pcap as a pcapng of the other byte order. */
    private static byte[] pcapng(byte[] pcap) {
        ByteBuffer from = ByteBuffer.wrap(pcap).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer to = ByteBuffer.allocate(2 * pcap.length + 100);
        to.putInt(0x0A0D0D0A)
                .putInt(28)
                .putInt(0x1A2B3C4D)
                .putInt(1 << 16)
                .putLong(-1)
                .putInt(28);
        to.putInt(1)
                .putInt(20)
                .putShort((short) from.getInt(20))
                .putShort((short) 0)
                .putInt(0)
                .putInt(20);
        for (int[] packet : packets(pcap)) {
            int length = packet[1] - PACKET_HEADER;
            int block = 32 + ((length + 3) & ~3);
            long micros = from.getInt(packet[0]) * 1_000_000L + from.getInt(packet[0] + 4);
            to.putInt(6).putInt(block).putInt(0).putLong(micros).putInt(length).putInt(length);
            to.put(pcap, packet[0] + PACKET_HEADER, length).position(to.position() + block - 32 - length);
            to.putInt(block);
        }
        return Arrays.copyOf(to.array(), to.position());
    }

    @Test
    void bothFormatsAreWhole() {
        int count = originals.size() / 2;
        for (int i = 0; i < count; i++) {
            Decoded pcap = Decoded.of(originals.get(i));
            Decoded pcapng = Decoded.of(originals.get(i + count));

            assertThat(pcap.units()).isNotEmpty();
            assertThat(pcapng.units())
                    .extracting(Event.Unit::summary)
                    .isEqualTo(pcap.units().stream().map(Event.Unit::summary).toList());
            assertThat(pcapng.units())
                    .extracting(Event.Unit::timeNanos)
                    .isEqualTo(pcap.units().stream().map(Event.Unit::timeNanos).toList());
        }
    }

    @Test
    @Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void nothingThatIsDamagedBreaksIt() {
        Long replay = Long.getLong("decode.seed");
        long from = replay == null ? 0 : replay;
        long to = replay == null ? CASES : replay + 1;
        int whole = 0;
        for (long seed = from; seed < to; seed++) {
            try {
                whole += decode(seed) ? 1 : 0;
            } catch (RuntimeException | Error e) {
                throw new AssertionError("fails with -Ddecode.seed=" + seed, e);
            }
        }

        if (replay == null) {
            assertThat(whole).as("captures that were read to their end").isBetween(CASES / 2, CASES - 1);
        }
    }

    /** Returns whether the file was whole. */
    private boolean decode(long seed) {
        Random random = new Random(seed);
        byte[] capture = mutate(originals.get(random.nextInt(originals.size())), random);
        Assumption assumption = new Assumption(random.nextBoolean(), Set.of(), random.nextBoolean());
        PrintWriter out = new PrintWriter(NOWHERE);
        EventPrinter printer = random.nextBoolean() ? new TextPrinter(out, true, true) : new JsonPrinter(out, true);
        int[] events = new int[1];
        EventPrinter counting = new EventPrinter() {
            @Override
            public void event(Event event, long firstNanos) {
                events[0]++;
                printer.event(event, firstNanos);
            }

            @Override
            public void summary(Summary summary) {
                printer.summary(summary);
            }
        };
        Budget budget = new Budget(random.nextInt(8) == 0 ? 4096 : 1 << 20);
        Decoder decoder = new Decoder(counting, new Filter(Set.of(), Set.of()), assumption, budget);
        boolean whole;
        try {
            decoder.decode(new ByteArrayInputStream(capture), new Progress(out, 0), false, out);
            whole = true;
        } catch (CaptureException e) {
            assertThat(e).message().isNotBlank();
            whole = false;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        assertThat(budget.heldBytes()).isZero();
        assertThat(events[0]).isLessThanOrEqualTo(capture.length / 4 + 10);
        return whole;
    }

    private static byte[] mutate(byte[] original, Random random) {
        byte[] capture = original.clone();
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            capture = switch (random.nextInt(8)) {
                case 0 -> cut(capture, random);
                case 1 -> swap(capture, random);
                case 2 -> drop(capture, random);
                case 3 -> anywhere(capture, random);
                case 4 -> interesting(capture, random);
                default -> withinPacket(capture, random);
            };
        }
        return capture;
    }

    private static byte[] cut(byte[] capture, Random random) {
        return random.nextInt(4) == 0 ? Arrays.copyOf(capture, random.nextInt(capture.length + 1)) : capture;
    }

    private static byte[] anywhere(byte[] capture, Random random) {
        if (capture.length > 0) {
            capture[random.nextInt(capture.length)] = (byte) random.nextInt();
        }
        return capture;
    }

    /** Where the packets' headers begin, as far as they make sense. */
    private static List<int[]> packets(byte[] capture) {
        List<int[]> packets = new ArrayList<>();
        int at = FILE_HEADER;
        while (at + PACKET_HEADER <= capture.length) {
            int length = (capture[at + 8] & 0xFF) | (capture[at + 9] & 0xFF) << 8;
            if (at + PACKET_HEADER + length > capture.length) {
                break;
            }
            packets.add(new int[] {at, PACKET_HEADER + length});
            at += PACKET_HEADER + length;
        }
        return packets;
    }

    private static byte[] withinPacket(byte[] capture, Random random) {
        List<int[]> packets = packets(capture);
        if (packets.isEmpty()) {
            return capture;
        }
        int[] packet = packets.get(random.nextInt(packets.size()));
        int length = packet[1] - PACKET_HEADER;
        if (length > 0) {
            capture[packet[0] + PACKET_HEADER + random.nextInt(length)] ^= (byte) (1 << random.nextInt(8));
        }
        return capture;
    }

    /** Writes an extreme number where numbers are. */
    private static byte[] interesting(byte[] capture, Random random) {
        List<int[]> packets = packets(capture);
        if (packets.isEmpty()) {
            return capture;
        }
        int[] packet = packets.get(random.nextInt(packets.size()));
        int from = packet[0] + PACKET_HEADER + random.nextInt(Math.max(1, packet[1] - PACKET_HEADER));
        byte value = new byte[] {0, 1, 0x7F, (byte) 0x80, (byte) 0xFF}[random.nextInt(5)];
        Arrays.fill(
                capture, Math.min(from, capture.length), Math.min(capture.length, from + 1 + random.nextInt(4)), value);
        return capture;
    }

    private static byte[] swap(byte[] capture, Random random) {
        List<int[]> packets = packets(capture);
        if (packets.size() < 2) {
            return capture;
        }
        int first = random.nextInt(packets.size() - 1);
        int[] one = packets.get(first);
        int[] other = packets.get(first + 1);
        byte[] swapped = capture.clone();
        System.arraycopy(capture, other[0], swapped, one[0], other[1]);
        System.arraycopy(capture, one[0], swapped, one[0] + other[1], one[1]);
        return swapped;
    }

    private static byte[] drop(byte[] capture, Random random) {
        List<int[]> packets = packets(capture);
        if (packets.isEmpty()) {
            return capture;
        }
        int[] packet = packets.get(random.nextInt(packets.size()));
        byte[] shorter = Arrays.copyOf(capture, capture.length - packet[1]);
        System.arraycopy(capture, packet[0] + packet[1], shorter, packet[0], shorter.length - packet[0]);
        return shorter;
    }
}
