package org.panamaverbs.iwarp.shm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.panamaverbs.iwarp.iovec.IoVector;
import org.panamaverbs.iwarp.net.LibcCalls;
import org.panamaverbs.iwarp.net.unix.SealedFile;
import org.panamaverbs.iwarp.net.unix.UnixName;
import org.panamaverbs.iwarp.net.unix.UnixServer;
import org.panamaverbs.iwarp.net.unix.UnixSocket;

/**
 * What the rings and {@code process_vm_readv} carry between two processes, printed in GB/s; not a test. Its numbers are
 * in docs/results/speed.md.
 *
 * <p>The other process sends from memory of 1, 8 or 64 MiB, which fits into the second cache, or the third, or none;
 * this one receives into as much. By the rings the payload is copied in and out, by both at the same time. Pulled, it
 * is copied once, by this process: so much a call, and each call is offered by a word and answered by one, as a sender
 * has to that must know when its memory is free. With the property {@code huge} both ask for huge pages.
 */
final class OneCopyMeasurement {
    private static final int PIECE = 4 << 20;
    private static final int ROUNDS = 150;
    private static final int[] SETS = {1 << 20, 8 << 20, 64 << 20};
    // The payload of a full FPDU, nearly, and more than FPDUs can have.
    private static final int[] PULLS = {4096, 16_384, 64 * 1024, 256 * 1024, 1 << 20};
    private static final MethodHandle PROCESS_VM_READV = LibcCalls.handle(
            "process_vm_readv",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
            false);
    private static final MethodHandle MADVISE =
            LibcCalls.handle("madvise", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT), false);
    // asm-generic/mman-common.h
    private static final int MADV_HUGEPAGE = 14;
    // The property that asks for huge pages.
    private static final String HUGE = "huge";

    private OneCopyMeasurement() {}

    /** Measures, or sends as the other process if a name is given. */
    public static void main(String[] arguments) throws Throwable {
        if (arguments.length > 0) {
            send(UnixName.ofAbstract(arguments[0]));
            return;
        }
        String name = "panama-verbs-measurement/" + UUID.randomUUID();
        UnixServer server = UnixServer.listen(UnixName.ofAbstract(name), 1);
        List<String> command = new ArrayList<>(List.of("taskset", "-c", "1"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(
                "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "-Dhuge=" + Boolean.getBoolean(HUGE), "-cp"));
        command.addAll(List.of(System.getProperty("java.class.path"), OneCopyMeasurement.class.getName(), name));
        Process other = new ProcessBuilder(command).inheritIO().start();
        UnixSocket line = server.accept();
        while (line == null) {
            line = server.accept();
        }
        try (SealedFile mine = RingMeasurement.mine();
                SealedFile theirs = RingMeasurement.exchange(line, mine)) {
            new Receiver(line, mine, theirs, (int) other.pid()).measure();
        } finally {
            other.destroyForcibly();
            line.close();
            server.close();
        }
    }

    private static void await(MemorySegment file, long word) {
        while (RingLayout.sleepVolatile(file) != word) {
            Thread.onSpinWait();
        }
    }

    private static MemorySegment memory() throws Throwable {
        MemorySegment memory = Arena.global().allocate(SETS[SETS.length - 1], 2 << 20);
        if (Boolean.getBoolean(HUGE)) {
            MemorySegment state = Arena.global().allocate(64, 8);
            int result = (int) MADVISE.invokeExact(state, memory.address(), memory.byteSize(), MADV_HUGEPAGE);
            System.out.println("transparent huge pages asked for: " + (result == 0 ? "yes" : "refused"));
        }
        // Written, or all of it would be one page of zeros.
        return memory.fill((byte) 7);
    }

    /** Moves a piece from or to the part of {@code memory} that has {@code set} bytes, from {@code at} on. */
    private static void throughRings(RingPair rings, IoVector vector, ByteBuffer view, int set, int at, boolean out)
            throws IOException {
        int todo = PIECE;
        int from = at;
        while (todo > 0) {
            // As FPDUs: one after the other.
            int some = Math.min(todo, 65_536);
            view.limit(from + some).position(from);
            while (view.hasRemaining()) {
                long moved = out ? rings.write(vector) : rings.read(vector);
                if (moved == 0) {
                    Thread.onSpinWait();
                }
            }
            from = (from + some) % set;
            todo -= some;
        }
    }

    // ---- the side that receives -----------------------------------------------------------------------------------

    /** Receives, and measures. */
    private static final class Receiver {
        private final RingPair rings;
        private final MemorySegment own;
        private final MemorySegment peer;
        private final int process;
        private final long source;
        private final MemorySegment memory;
        private final ByteBuffer view;
        private final IoVector vector;
        private final MemorySegment state = Arena.global().allocate(64, 8);
        private final MemorySegment local = Arena.global().allocate(16, 8);
        private final MemorySegment remote = Arena.global().allocate(16, 8);
        private long word;

        Receiver(UnixSocket line, SealedFile mine, SealedFile theirs, int process) throws Throwable {
            rings = new RingPair(mine.memory(), theirs.memory());
            own = mine.memory();
            peer = theirs.memory();
            this.process = process;
            memory = memory();
            view = memory.asByteBuffer();
            vector = IoVector.of(view);
            ByteBuffer address = ByteBuffer.allocate(Long.BYTES);
            while (address.hasRemaining()) {
                line.receive(address);
            }
            source = address.getLong(0);
        }

        void measure() throws Throwable {
            for (int set : SETS) {
                print(set, "rings", rounds(set, 0, true));
                for (int pull : PULLS) {
                    print(set, "pulled, " + pull + " B a call", rounds(set, pull, true));
                }
                // As if many were offered before the first is pulled.
                print(set, "pulled, 65536 B, offered at once", rounds(set, 64 * 1024, false));
                print(set, "a copy here", copies(set));
                print(set, "rings, one thread", alone(set, 0));
                print(set, "pulled, 65536 B, one thread", alone(set, 64 * 1024));
            }
        }

        // Both sides by this thread: what of a processor's time a stream takes, where nothing is done side by side.
        private double[] alone(int set, int pull) throws Throwable {
            TwoSides sides = TwoSides.of(RingLayout.DEFAULT_RING_BYTES, RingLayout.DEFAULT_RING_BYTES);
            ByteBuffer from = view.duplicate();
            IoVector out = IoVector.of(from);
            int here = (int) ProcessHandle.current().pid();
            double[] rates = new double[ROUNDS];
            local.set(JAVA_LONG, 8, pull);
            remote.set(JAVA_LONG, 8, pull);
            for (int round = 0; round < ROUNDS; round++) {
                long start = System.nanoTime();
                for (int done = 0; done < PIECE; done += 64 * 1024) {
                    int source = (int) (((long) round * PIECE + done) % (set / 2));
                    int target = set / 2 + source;
                    if (pull == 0) {
                        sides.left.write(at(out, from, source));
                        sides.right.read(at(vector, view, target));
                    } else {
                        local.set(JAVA_LONG, 0, memory.address() + target);
                        remote.set(JAVA_LONG, 0, memory.address() + source);
                        read(here, pull);
                    }
                }
                rates[round] = (double) PIECE / (System.nanoTime() - start);
            }
            return rates;
        }

        private static IoVector at(IoVector vector, ByteBuffer view, int start) {
            view.limit(start + 64 * 1024).position(start);
            return vector;
        }

        private static void print(int set, String what, double[] rates) {
            Arrays.sort(rates);
            System.out.printf(
                    "%2d MiB, %-33s best %6.2f GB/s, middle %6.2f%n",
                    set >> 20, what, rates[rates.length - 1], rates[rates.length / 2]);
        }

        private double[] rounds(int set, int pull, boolean offered) throws Throwable {
            double[] rates = new double[ROUNDS];
            int at = 0;
            for (int round = 0; round < ROUNDS; round++) {
                long start = System.nanoTime();
                if (pull == 0) {
                    command(set, at);
                    throughRings(rings, vector, view, set, at, false);
                } else {
                    pull(set, at, pull, offered);
                }
                rates[round] = (double) PIECE / (System.nanoTime() - start);
                at = (at + PIECE) % set;
            }
            return rates;
        }

        private double[] copies(int set) {
            double[] rates = new double[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                long start = System.nanoTime();
                for (int i = 0; i < PIECE / (512 * 1024); i++) {
                    long from = (long) round * PIECE + i * 512L * 1024;
                    MemorySegment.copy(memory, from % (set / 2), memory, set / 2 + from % (set / 2), 512 * 1024);
                }
                rates[round] = (double) PIECE / (System.nanoTime() - start);
            }
            return rates;
        }

        // A word that says what to send: from where of how much, or only that an offer was seen.
        private void command(int set, int at) {
            word++;
            RingLayout.publishSleep(own, word << 40 | (long) set << 8 | at / PIECE);
            await(peer, word);
        }

        private void pull(int set, int at, int bytes, boolean offered) throws Throwable {
            local.set(JAVA_LONG, 8, bytes);
            remote.set(JAVA_LONG, 8, bytes);
            for (int done = 0; done < PIECE; done += bytes) {
                int offset = (at + done) % set;
                if (offered) {
                    command(0, 0);
                }
                local.set(JAVA_LONG, 0, memory.address() + offset);
                remote.set(JAVA_LONG, 0, source + offset);
                read(process, bytes);
            }
        }

        private void read(int from, int bytes) throws Throwable {
            long octets =
                    (long) PROCESS_VM_READV.invokeExact(state, from, local.address(), 1L, remote.address(), 1L, 0L);
            if (octets != bytes) {
                throw new IllegalStateException("pulled " + octets + " of " + bytes + " bytes");
            }
        }
    }

    // ---- the side that sends --------------------------------------------------------------------------------------

    private static void send(UnixName name) throws Throwable {
        UnixSocket line = UnixSocket.connect(name);
        try (SealedFile mine = RingMeasurement.mine();
                SealedFile theirs = RingMeasurement.exchange(line, mine)) {
            RingPair rings = new RingPair(mine.memory(), theirs.memory());
            MemorySegment memory = memory();
            ByteBuffer view = memory.asByteBuffer();
            IoVector vector = IoVector.of(view);
            line.send(ByteBuffer.allocate(Long.BYTES).putLong(0, memory.address()));
            long seen = 0;
            while (true) {
                long command = RingLayout.sleepVolatile(theirs.memory());
                if (command == seen) {
                    Thread.onSpinWait();
                    continue;
                }
                seen = command;
                RingLayout.publishSleep(mine.memory(), command >>> 40);
                int set = (int) (command >>> 8 & 0xFFFF_FFFFL);
                if (set != 0) {
                    throughRings(rings, vector, view, set, (int) (command & 0xFF) * PIECE % set, true);
                }
            }
        }
    }
}
