package org.panamaverbs.iwarp.shm;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.UUID;
import org.panamaverbs.iwarp.iovec.IoVector;
import org.panamaverbs.iwarp.net.unix.FileMessage;
import org.panamaverbs.iwarp.net.unix.SealedFile;
import org.panamaverbs.iwarp.net.unix.UnixName;
import org.panamaverbs.iwarp.net.unix.UnixServer;
import org.panamaverbs.iwarp.net.unix.UnixSocket;

/**
 * What the rings cost by themselves, printed in nanoseconds; not a test. Rounds of few milliseconds, of which the best
 * and the middle one are told: on a busy machine the best alone means something.
 *
 * <p>usage: {@code RingMeasurement [OCTETS]}: in one thread and between two processes; each round trip beside the
 * hand-over of a word alone. The other process is put on processor 1.
 */
final class RingMeasurement {
    private static final int ROUNDS = 400;
    private static final int TRIPS = 2_000;
    private static final long FILE_BYTES = RingLayout.fileBytes(RingLayout.DEFAULT_RING_BYTES);

    private RingMeasurement() {}

    /** Measures, or answers as the other process if a name is given. */
    public static void main(String[] arguments) throws Exception {
        int octets = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 64;
        if (arguments.length > 1) {
            answerProcess(UnixName.ofAbstract(arguments[1]), octets);
            return;
        }
        TwoSides sides = TwoSides.of(RingLayout.DEFAULT_RING_BYTES, RingLayout.DEFAULT_RING_BYTES);
        oneThread(sides, octets);
        askProcess(octets);
    }

    private static void print(String what, double[] nanos) {
        Arrays.sort(nanos);
        System.out.printf("%-40s best %8.1f ns, middle %8.1f ns%n", what, nanos[0], nanos[nanos.length / 2]);
    }

    // ---- one thread -----------------------------------------------------------------------------------------------

    private static void oneThread(TwoSides sides, int octets) throws IOException {
        Endpoint left = new Endpoint(sides.left, octets);
        Endpoint right = new Endpoint(sides.right, octets);
        double[] nanos = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            long start = System.nanoTime();
            for (int i = 0; i < 10 * TRIPS; i++) {
                left.send();
                right.receive();
            }
            nanos[round] = (System.nanoTime() - start) / (10.0 * TRIPS);
        }
        print("one thread, " + octets + " B written and read", nanos);
        for (int round = 0; round < ROUNDS; round++) {
            long start = System.nanoTime();
            int found = 0;
            for (int i = 0; i < 10 * TRIPS; i++) {
                found += right.tryReceive();
            }
            nanos[round] = (System.nanoTime() - start) / (10.0 * TRIPS) + found;
        }
        print("one thread, an empty look", nanos);
    }

    /** One side with what it sends and where it receives. */
    private static final class Endpoint {
        private final RingPair rings;
        private final ByteBuffer out;
        private final ByteBuffer in;
        private final IoVector from = new IoVector(1);
        private final IoVector into = new IoVector(1);
        private final int octets;

        Endpoint(RingPair rings, int octets) {
            this.rings = rings;
            this.octets = octets;
            out = ByteBuffer.allocateDirect(octets);
            in = ByteBuffer.allocateDirect(8192 + octets);
            from.add(out, MemorySegment.NULL);
            into.add(in, MemorySegment.NULL);
        }

        void send() throws IOException {
            out.clear();
            rings.write(from);
            if (out.hasRemaining() || rings.mustRing()) {
                throw new IllegalStateException("no room, or a sleeper");
            }
        }

        int tryReceive() throws IOException {
            in.clear();
            return (int) rings.read(into);
        }

        void receive() throws IOException {
            in.clear();
            while (in.position() < octets) {
                if (rings.read(into) == 0) {
                    Thread.onSpinWait();
                } else {
                    rings.mustRing();
                }
            }
        }
    }

    // ---- two sides ------------------------------------------------------------------------------------------------

    private static void ask(String what, RingPair rings, MemorySegment own, MemorySegment peer, int octets)
            throws IOException {
        Endpoint endpoint = new Endpoint(rings, octets);
        double[] floor = new double[ROUNDS];
        double[] nanos = new double[ROUNDS];
        long word = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long start = System.nanoTime();
            for (int i = 0; i < TRIPS; i++) {
                word++;
                RingLayout.publishSleep(own, word << 2);
                awaitWord(peer, word << 2);
            }
            long middle = System.nanoTime();
            for (int i = 0; i < TRIPS; i++) {
                endpoint.send();
                endpoint.receive();
            }
            floor[round] = (middle - start) / (double) TRIPS;
            nanos[round] = (System.nanoTime() - middle) / (double) TRIPS;
        }
        print(what + ", round trip of a word", floor);
        print(what + ", round trip of " + octets + " B", nanos);
    }

    private static void answer(RingPair rings, MemorySegment own, MemorySegment peer, int octets) {
        Endpoint endpoint = new Endpoint(rings, octets);
        long word = 0;
        try {
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = 0; i < TRIPS; i++) {
                    word++;
                    awaitWord(peer, word << 2);
                    RingLayout.publishSleep(own, word << 2);
                }
                for (int i = 0; i < TRIPS; i++) {
                    endpoint.receive();
                    endpoint.send();
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void awaitWord(MemorySegment file, long word) {
        while (RingLayout.sleepVolatile(file) != word) {
            Thread.onSpinWait();
        }
    }

    // ---- two processes --------------------------------------------------------------------------------------------

    private static void askProcess(int octets) throws Exception {
        String name = "panama-verbs-measurement/" + UUID.randomUUID();
        UnixServer server = UnixServer.listen(UnixName.ofAbstract(name), 1);
        Process other = new ProcessBuilder(
                        "taskset",
                        "-c",
                        "1",
                        System.getProperty("java.home") + "/bin/java",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RingMeasurement.class.getName(),
                        Integer.toString(octets),
                        name)
                .inheritIO()
                .start();
        UnixSocket line = server.accept();
        while (line == null) {
            line = server.accept();
        }
        try (SealedFile mine = mine();
                SealedFile theirs = exchange(line, mine)) {
            RingPair rings = new RingPair(mine.memory(), theirs.memory());
            ask("two processes", rings, mine.memory(), theirs.memory(), octets);
        } finally {
            line.close();
            server.close();
            other.waitFor();
        }
    }

    private static void answerProcess(UnixName name, int octets) throws IOException {
        UnixSocket line = UnixSocket.connect(name);
        try (SealedFile mine = mine();
                SealedFile theirs = exchange(line, mine)) {
            answer(new RingPair(mine.memory(), theirs.memory()), mine.memory(), theirs.memory(), octets);
        } finally {
            line.close();
        }
    }

    static SealedFile mine() throws IOException {
        SealedFile mine = SealedFile.create("panama-verbs measurement", FILE_BYTES);
        RingLayout.format(mine.memory(), RingLayout.DEFAULT_RING_BYTES);
        return mine;
    }

    static SealedFile exchange(UnixSocket line, SealedFile mine) throws IOException {
        line.takeFiles();
        // Each says that it takes files before the other sends one: else the system refuses to.
        line.send(ByteBuffer.allocate(1));
        ByteBuffer ready = ByteBuffer.allocate(1);
        while (ready.hasRemaining()) {
            line.receive(ready);
        }
        line.send(ByteBuffer.allocate(1), mine);
        FileMessage message = line.receiveWithFile(ByteBuffer.allocate(1));
        while (message.octets() == 0) {
            message = line.receiveWithFile(ByteBuffer.allocate(1));
        }
        SealedFile theirs = Objects.requireNonNull(message.file()).map(FILE_BYTES);
        RingLayout.ringBytes(theirs.memory());
        return theirs;
    }
}
