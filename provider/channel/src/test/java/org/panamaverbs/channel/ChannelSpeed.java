package org.panamaverbs.channel;

import static org.panamaverbs.memory.Access.LOCAL_WRITE;

import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.memory.RegisteredBuffer;

/**
 * Measures channels beside the same verbs by hand, between two threads of this process: round trips and messages a
 * second of 64 bytes. Needs two idle processors.
 *
 * <p>Arguments: the value of option {@code shm} (default {@code off}), and round trips of a run (default 20,000).
 */
final class ChannelSpeed {
    private static final int BYTES = 64;
    private static final int RUNS = 7;
    private static final Deadline DEADLINE = Deadline.in(10, TimeUnit.MINUTES);

    private final OpenConfig provider;
    private final int trips;

    private ChannelSpeed(OpenConfig provider, int trips) {
        this.provider = provider;
        this.trips = trips;
    }

    public static void main(String[] arguments) {
        String shm = arguments.length > 0 ? arguments[0] : "off";
        int trips = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 20_000;
        var speed =
                new ChannelSpeed(OpenConfig.provider("iwarp").with("shm", shm).with("progress", "spin"), trips);
        System.out.printf("shm=%s, %d bytes, median of %d runs after one%n", shm, BYTES, RUNS);
        System.out.printf("verbs by hand     %7.2f us round trip%n", speed.verbs());
        for (Way way : Way.values()) {
            speed.channels(way);
        }
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private void channels(Way way) {
        ChannelConfig config = ChannelConfig.defaults().withWay(way);
        try (Verbs verbs = Verbs.open(provider);
                Verbs other = Verbs.open(provider);
                ChannelGroup here = ChannelGroup.open(verbs, config.withBatching(true));
                ChannelGroup there = ChannelGroup.open(other, config);
                var listener = verbs.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            var connecting = CompletableFuture.supplyAsync(() -> there.connect(listener.localAddress(), DEADLINE));
            Channel channel = here.accept(listener.accept(DEADLINE), DEADLINE);
            Channel its = connecting.join();
            Thread peer = new Thread(() -> {
                MessageHandler echo = (from, memory, offset, length) -> {
                    if (memory.get(java.lang.foreign.ValueLayout.JAVA_LONG, offset) == 1) {
                        while (from.publisher().offer(memory, offset, length) < 0) {
                            Thread.onSpinWait();
                        }
                    }
                };
                while (!its.subscriber().isClosed()) {
                    there.poll(echo, 64);
                }
            });
            peer.start();
            MemorySegment message = MemorySegment.ofArray(new byte[BYTES]);
            MemorySegment asking = MemorySegment.ofArray(new long[BYTES / 8]);
            asking.set(java.lang.foreign.ValueLayout.JAVA_LONG, 0, 1);
            int[] back = {0};
            MessageHandler count = (from, memory, offset, length) -> back[0]++;
            double[] micros = new double[RUNS];
            double[] rates = new double[RUNS];
            Publisher publisher = channel.publisher();
            for (int run = -1; run < RUNS; run++) {
                long begin = System.nanoTime();
                for (int i = 0; i < trips; i++) {
                    int before = back[0];
                    require(publisher.offer(asking, 0, BYTES));
                    publisher.flush();
                    while (back[0] == before) {
                        here.poll(count, 1);
                    }
                }
                long middle = System.nanoTime();
                int messages = 50 * trips;
                for (int i = 0; i < messages; i++) {
                    while (publisher.offer(message, 0, BYTES) < 0) {
                        Thread.onSpinWait();
                    }
                }
                int before = back[0];
                while (publisher.offer(asking, 0, BYTES) < 0) {
                    Thread.onSpinWait();
                }
                publisher.flush();
                while (back[0] == before) {
                    here.poll(count, 1);
                }
                long end = System.nanoTime();
                if (run >= 0) {
                    micros[run] = (middle - begin) / 1e3 / trips;
                    rates[run] = messages * 1e3 / (end - middle);
                }
            }
            System.out.printf(
                    "channel by %-6s %7.2f us round trip, %6.2f M messages/s, carrier %s%n",
                    way, median(micros), median(rates), channel.connection().carrier());
            channel.close();
            peer.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void require(long result) {
        if (result < 0) {
            throw new IllegalStateException(Publisher.text(result));
        }
    }

    /** One end of a connection that sends and receives a message at a time. */
    private static final class End {
        final CompletionQueue queue;
        final QueuePair pair;
        final RegisteredBuffer memory;
        final WorkCompletions completions = WorkCompletions.ofCapacity(16);
        int sent;

        End(CompletionQueue queue, QueuePair pair, RegisteredBuffer memory) {
            this.queue = queue;
            this.pair = pair;
            this.memory = memory;
            for (int i = 0; i < 16; i++) {
                PostStatus.check(pair.recv(i, memory, 1024 + i * 64L, 64));
            }
        }

        void send() {
            int flags = ++sent % 16 == 0 ? SendFlag.SIGNALED | SendFlag.INLINE : SendFlag.INLINE;
            PostStatus.check(pair.send(sent, memory, 0, BYTES, flags));
        }

        /** Waits for a message; false at the end of the connection. */
        boolean receive() {
            for (; ; ) {
                int count = queue.poll(completions);
                boolean received = false;
                for (int i = 0; i < count; i++) {
                    if (!completions.get(i).ok()) {
                        return false;
                    }
                    if (completions.get(i).opcode() == WcOpcode.RECV) {
                        long slot = completions.get(i).wrId();
                        PostStatus.check(pair.recv(slot, memory, 1024 + slot * 64, 64));
                        received = true;
                    }
                }
                if (received) {
                    return true;
                }
            }
        }
    }

    private double verbs() {
        try (Verbs verbs = Verbs.open(provider);
                Verbs other = Verbs.open(provider);
                var domain = verbs.protectionDomain();
                var its = other.protectionDomain();
                var memory = domain.allocate(4096, LOCAL_WRITE);
                var itsMemory = its.allocate(4096, LOCAL_WRITE);
                var queue = verbs.completionQueue(64);
                var itsQueue = other.completionQueue(64);
                var pair = domain.queuePair(
                        QueuePairConfig.of(domain, queue).withDepth(32, 32).withInline(64));
                var itsPair = its.queuePair(
                        QueuePairConfig.of(its, itsQueue).withDepth(32, 32).withInline(64));
                var listener = verbs.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            End here = new End(queue, pair, memory);
            End there = new End(itsQueue, itsPair, itsMemory);
            var connecting = CompletableFuture.supplyAsync(
                    () -> other.connect(listener.localAddress(), itsPair, ConnectionConfig.defaults(), DEADLINE));
            Connection accepted = listener.accept(DEADLINE).accept(pair, ConnectionConfig.defaults(), DEADLINE);
            Connection connected = connecting.join();
            Thread peer = new Thread(() -> {
                while (there.receive()) {
                    there.send();
                }
            });
            peer.start();
            double[] micros = new double[RUNS];
            for (int run = -1; run < RUNS; run++) {
                long begin = System.nanoTime();
                for (int i = 0; i < trips; i++) {
                    here.send();
                    here.receive();
                }
                if (run >= 0) {
                    micros[run] = (System.nanoTime() - begin) / 1e3 / trips;
                }
            }
            accepted.close();
            peer.join();
            connected.close();
            return median(micros);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
