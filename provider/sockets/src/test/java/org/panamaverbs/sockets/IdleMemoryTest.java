package org.panamaverbs.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * How much memory an idle connection has, an end: on the heap, beside it, and shared between both ends. By the slope
 * between some connections and more, in a process of its own whose heap is there from the beginning.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class IdleMemoryTest {
    private static final long KIB = 1024;

    @Test
    void anIdleConnectionHasLittleMemory() throws Exception {
        Process crowd = ChildProcess.start(
                Crowd.class,
                List.of(
                        "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xms256m",
                        "-Xmx256m",
                        "-XX:+AlwaysPreTouch",
                        "-Dverbs.iwarp.shm.direct=off", // which has up to 256 rings whole, and shared
                        "-Dverbs.sockets.rules=require"));
        try {
            String all = new String(crowd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(crowd.waitFor()).as(all).isZero();
            Map<String, Long> bytes = new TreeMap<>();
            all.lines()
                    .map(line -> line.split(" "))
                    .filter(words -> words[0].equals("each"))
                    .forEach(words -> bytes.put(words[1] + " " + words[2], Long.valueOf(words[3])));
            assertThat(bytes.get("unused private")).as(all).isLessThan(64 * KIB);
            assertThat(bytes.get("unused shared")).as(all).isLessThan(16 * KIB);
            assertThat(bytes.get("small private")).as(all).isLessThan(64 * KIB);
            assertThat(bytes.get("small shared")).as(all).isLessThan(24 * KIB);
            // The peer may write the rest of one half of its ring and all of the other, which are 128 KiB.
            assertThat(bytes.get("burst private")).as(all).isLessThan(224 * KIB);
        } finally {
            crowd.destroyForcibly();
        }
    }

    /** Both ends of each connection; prints the bytes of each end. */
    static final class Crowd {
        private static final int FEW = 50;
        private static final int MORE = 200;

        /** Together more than each ring has. */
        private static final int SMALL = 64;

        private static final int TIMES = 5000;
        private static final int BURST = 2_000_000;
        private static final long TRIM_NANOS = TimeUnit.SECONDS.toNanos(4);
        private static final int COLLECTIONS = 3;

        private static final List<SocketChannel> CLIENTS = new ArrayList<>();
        private static final List<SocketChannel> SERVERS = new ArrayList<>();

        private Crowd() {}

        public static void main(String[] arguments) throws IOException {
            try (ServerSocketChannel listener = ServerSocketChannel.open()) {
                listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                connect(listener, FEW);
                exchange(0, SMALL, TIMES);
                exchange(0, BURST, 1);
                Footprint before = idle();
                connect(listener, MORE);
                print("unused", before);
                exchange(FEW, SMALL, TIMES);
                print("small", before);
                exchange(FEW, BURST, 1);
                print("burst", before);
                System.exit(0); // what is open ends with the process
            }
        }

        private static void connect(ServerSocketChannel listener, int count) throws IOException {
            for (int i = 0; i < count; i++) {
                CLIENTS.add(SocketChannel.open(listener.getLocalAddress()));
                SERVERS.add(listener.accept());
            }
        }

        /** Sends {@code bytes} bytes both ways, so many times, on all connections from {@code first} on. */
        private static void exchange(int first, int bytes, int times) throws IOException {
            ByteBuffer sent = ByteBuffer.allocateDirect(bytes);
            ByteBuffer read = ByteBuffer.allocateDirect(bytes);
            for (int i = first; i < CLIENTS.size(); i++) {
                CLIENTS.get(i).configureBlocking(false);
                SERVERS.get(i).configureBlocking(false);
                for (int j = 0; j < times; j++) {
                    send(CLIENTS.get(i), SERVERS.get(i), sent.clear(), read.clear());
                    send(SERVERS.get(i), CLIENTS.get(i), sent.clear(), read.clear());
                }
            }
        }

        private static void send(SocketChannel from, SocketChannel to, ByteBuffer sent, ByteBuffer read)
                throws IOException {
            while (read.hasRemaining()) {
                from.write(sent);
                if (to.read(read) < 0) {
                    throw new IOException("the end");
                }
            }
        }

        /** Returns what there is once it has been idle: the least of some looks, as it is given back within seconds. */
        private static Footprint idle() throws IOException {
            long begun = System.nanoTime();
            Footprint least = Footprint.take();
            while (System.nanoTime() - begun < TRIM_NANOS) {
                Footprint next = Footprint.take();
                least = next.ownBytes() < least.ownBytes() ? next : least;
            }
            return least;
        }

        private static void print(String what, Footprint before) throws IOException {
            Footprint least = idle();
            System.out.println("each " + what + " heap " + each(before.heapBytes, least.heapBytes));
            System.out.println("each " + what + " private " + each(before.ownBytes(), least.ownBytes()));
            System.out.println("each " + what + " shared " + each(before.sharedBytes, least.sharedBytes));
        }

        private static long each(long before, long after) {
            return (after - before) / (2 * MORE);
        }

        /**
         * What the process has.
         *
         * @param heapBytes used on the heap
         * @param anonymousBytes beside it, in memory of its own; all of the heap is there from the beginning
         * @param sharedBytes its part of memory that is shared
         */
        private record Footprint(long heapBytes, long anonymousBytes, long sharedBytes) {
            long ownBytes() {
                return heapBytes + anonymousBytes;
            }

            static Footprint take() throws IOException {
                long heap = LongStream.generate(() -> {
                            System.gc();
                            return ManagementFactory.getMemoryMXBean()
                                    .getHeapMemoryUsage()
                                    .getUsed();
                        })
                        .limit(COLLECTIONS)
                        .min()
                        .orElseThrow();
                List<String> lines = Files.readAllLines(Path.of("/proc/self/smaps_rollup"));
                return new Footprint(heap, value(lines, "Pss_Anon:"), value(lines, "Pss_Shmem:"));
            }

            private static long value(List<String> lines, String name) throws IOException {
                for (String line : lines) {
                    if (line.startsWith(name)) {
                        return KIB * Long.parseLong(line.replaceAll("\\D", ""));
                    }
                }
                throw new IOException("the system does not tell " + name);
            }
        }
    }
}
