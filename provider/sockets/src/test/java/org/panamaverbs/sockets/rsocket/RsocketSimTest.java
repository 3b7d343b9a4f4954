package org.panamaverbs.sockets.rsocket;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two sides over a network that keeps the order of each direction, with everything else in random order: bytes of the
 * stream, and bytes written into memory that the other side has mapped.
 */
class RsocketSimTest {
    private static final int ROUNDS = 20_000;
    private static final int MAPPED_BYTES = 500;

    /** What goes one way: bytes to an address, or a message. */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares them
    private record Step(long address, byte[] octets, int message) {}

    private static final class Side {
        final int half;
        final int credits;
        final boolean bigEndian;
        final int iomaps;
        final int tableBytes;
        final long base;
        final MemorySegment memory;
        final ArrayDeque<Step> wire = new ArrayDeque<>();
        final ArrayDeque<Integer> completions = new ArrayDeque<>();

        @SuppressWarnings("NullAway.Init") // by begin()
        Rsocket rsocket;

        long sent;
        long read;

        /** What this side has written into the other's mapped memory, and how often. */
        final byte[] written = new byte[MAPPED_BYTES];

        int writes;

        Side(Random random, long base, boolean bigEndian) {
            this.base = base;
            this.bigEndian = bigEndian;
            half = 1 + random.nextInt(random.nextBoolean() ? 20 : 3000);
            credits = 2 + random.nextInt(random.nextBoolean() ? 20 : 400);
            iomaps = random.nextInt(4);
            tableBytes = OwnBuffers.tableBytes(iomaps);
            memory = Arena.ofAuto().allocate(tableBytes + 2L * half + MAPPED_BYTES);
        }

        OwnBuffers own() {
            return new OwnBuffers(base, 1, base + tableBytes, 1, half, credits, iomaps);
        }

        long mappedAddress() {
            return base + tableBytes + 2L * half;
        }

        /** Maps some bytes of its memory, whose offsets are their places in there. */
        void map(Random random) {
            if (rsocket.iomapEntries() == 0 || !rsocket.canMap()) {
                return;
            }
            int index = random.nextInt(rsocket.iomapEntries());
            int at = random.nextInt(MAPPED_BYTES);
            int bytes = 1 + random.nextInt(MAPPED_BYTES - at);
            MemorySegment entry = MemorySegment.ofArray(new byte[IomapTable.ENTRY_BYTES]);
            rsocket.writeIomap(entry, at, mappedAddress() + at, 1, bytes);
            wire.add(new Step(rsocket.iomapAddress(index), entry.toArray(ValueLayout.JAVA_BYTE), 0));
            wire.add(new Step(0, new byte[0], rsocket.mapped(index)));
        }

        /** Writes some bytes into what the other side has mapped. */
        void writeMapped(Random random) {
            int at = random.nextInt(MAPPED_BYTES);
            int index = rsocket.peerMappings().find(at);
            if (index < 0) {
                return;
            }
            long rest = rsocket.peerMappings().rest(index, at);
            byte[] octets = new byte[1 + random.nextInt((int) rest)];
            writes++;
            for (int i = 0; i < octets.length; i++) {
                octets[i] = octetAt(writes + i);
                written[at + i] = octets[i];
            }
            wire.add(new Step(rsocket.peerMappings().address(index, at), octets, 0));
        }

        byte[] mapped() {
            return memory.asSlice(tableBytes + 2L * half, MAPPED_BYTES).toArray(ValueLayout.JAVA_BYTE);
        }

        void begin(Side peer) {
            MemorySegment table = memory.asSlice(0, tableBytes);
            ConnectData data =
                    ConnectData.decode(peer.own().connectData(peer.bigEndian).encode());
            rsocket = new Rsocket(own(), bigEndian, table, data, Rsocket.IWARP_RESERVE);
        }

        void send(Random random) {
            int n = rsocket.sendable(1 + random.nextInt(random.nextBoolean() ? 3 : 5000));
            if (n > 0) {
                byte[] octets = new byte[n];
                for (int i = 0; i < n; i++) {
                    octets[i] = octetAt(sent++);
                }
                long address = rsocket.targetAddress();
                wire.add(new Step(address, octets, 0));
                wire.add(new Step(0, new byte[0], rsocket.sent(n)));
            }
        }

        void grant() {
            if (rsocket.grantDue()) {
                if (rsocket.grantsHalf()) {
                    MemorySegment entry = MemorySegment.ofArray(new byte[OwnBuffers.ENTRY_BYTES]);
                    rsocket.writeEntry(entry);
                    wire.add(new Step(rsocket.entryAddress(), entry.toArray(ValueLayout.JAVA_BYTE), 0));
                }
                wire.add(new Step(0, new byte[0], rsocket.granted()));
            }
        }

        void read(Random random) {
            int n = Math.min(rsocket.readable(), 1 + random.nextInt(4000));
            int at = rsocket.readPosition();
            for (int i = 0; i < n; i++) {
                byte octet = memory.get(ValueLayout.JAVA_BYTE, tableBytes + (at + i) % (2L * half));
                if (octet != octetAt(read)) {
                    throw new AssertionError("byte " + read + " is " + octet + ", not " + octetAt(read));
                }
                read++;
            }
            rsocket.read(n);
        }

        /** What the network brings next is placed; a message takes a receive. */
        void deliver(Side from) {
            Step step = from.wire.poll();
            if (step == null) {
                return;
            }
            if (step.octets().length > 0) {
                long at = step.address() - base;
                MemorySegment.copy(step.octets(), 0, memory, ValueLayout.JAVA_BYTE, at, step.octets().length);
            } else {
                completions.add(step.message());
                assertThat(completions).as("receives in use").hasSizeLessThanOrEqualTo(credits + 16);
            }
        }

        /** Takes a message, whose receive is there again. */
        void poll() {
            if (!completions.isEmpty()) {
                assertThat(rsocket.receive(completions.poll())).isEqualTo(Fault.NONE);
            }
        }

        static byte octetAt(long position) {
            return (byte) (position * 31 + (position >>> 8));
        }
    }

    static LongStream seeds() {
        String one = System.getProperty("sim.seed");
        return one != null ? LongStream.of(Long.parseLong(one)) : LongStream.range(0, 60);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyOctetArrivesOnceAndInOrder(long seed) {
        Random random = new Random(seed);
        boolean bigEndian = random.nextBoolean();
        Side[] sides = {new Side(random, 0x10000, bigEndian), new Side(random, 0x7f00_0000_0000L, bigEndian)};
        sides[0].begin(sides[1]);
        sides[1].begin(sides[0]);
        int[] appetite = {1 + random.nextInt(10), 1 + random.nextInt(10)};
        for (int round = 0; round < ROUNDS; round++) {
            int i = random.nextInt(2);
            Side side = sides[i];
            switch (random.nextInt(200)) {
                case 198 -> side.map(random);
                case 199 -> side.writeMapped(random);
                default -> {}
            }
            switch (random.nextInt(5)) {
                case 0 -> side.send(random);
                case 1 -> side.deliver(sides[1 - i]);
                case 2 -> side.poll();
                case 3 -> side.grant();
                default -> {
                    if (random.nextInt(appetite[i]) == 0) {
                        side.read(random);
                    }
                }
            }
        }
        for (int round = 0; round < ROUNDS && !(isIdle(sides[0], sides[1]) && isIdle(sides[1], sides[0])); round++) {
            for (int i = 0; i < 2; i++) {
                sides[i].deliver(sides[1 - i]);
                sides[i].poll();
                sides[i].grant();
                sides[i].read(random);
            }
        }
        for (int i = 0; i < 2; i++) {
            assertThat(sides[i].read).isEqualTo(sides[1 - i].sent);
            assertThat(sides[i].sent).as("something was sent").isGreaterThan(sides[1 - i].half);
            assertThat(sides[i].mapped()).isEqualTo(sides[1 - i].written);
            assertThat(sides[i].writes > 0)
                    .as("memory was written where it could be mapped")
                    .isEqualTo(sides[i].iomaps > 0);
        }
        // Nobody is stuck: either can send again.
        assertThat(sides[0].rsocket.sendable(1) + sides[1].rsocket.sendable(1)).isEqualTo(2);
    }

    private static boolean isIdle(Side sender, Side receiver) {
        return sender.wire.isEmpty()
                && receiver.completions.isEmpty()
                && receiver.read == sender.sent
                && !receiver.rsocket.grantDue();
    }
}
