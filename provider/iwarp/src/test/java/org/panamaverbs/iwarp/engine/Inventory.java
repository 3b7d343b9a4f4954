package org.panamaverbs.iwarp.engine;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.iwarp.engine.device.EventLoop;
import org.panamaverbs.iwarp.verbs.IwarpVerbs;

/**
 * What there is of everything that can be left behind.
 *
 * @param text each kind with its number
 */
record Inventory(String text) {
    /** Counts what {@code peers} have, and this process. */
    static Inventory of(Peer... peers) {
        StringBuilder text = new StringBuilder();
        for (Peer peer : peers) {
            IwarpVerbs verbs = (IwarpVerbs) peer.verbs;
            text.append(verbs.context().queuePairs().used()).append(" queue pairs, ");
            text.append(verbs.context().completionQueues().used()).append(" completion queues, ");
            text.append(verbs.context().domains().used()).append(" domains, ");
            text.append(verbs.context().sharedReceiveQueues().used()).append(" shared receive queues, ");
            text.append(verbs.context().stags().size()).append(" STags; ");
        }
        text.append(descriptors()).append(" descriptors, ");
        text.append(mappings()).append(" mappings for peers, ");
        long loops = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("iwarp-loop"))
                .count();
        text.append(loops).append(" event loops");
        return new Inventory(text.toString());
    }

    private static long descriptors() {
        String[] names = new java.io.File("/proc/self/fd").list();
        return names == null ? 0 : names.length;
    }

    private static long mappings() {
        Path maps = Path.of("/proc/self/maps");
        if (!Files.exists(maps)) {
            return 0;
        }
        try (Stream<String> lines = Files.lines(maps)) {
            return lines.filter(line -> line.contains("panama-verbs")).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until {@code peers} and this process have what is counted here; {@code tidying} may help. */
    void await(Runnable tidying, Peer... peers) {
        Deadline deadline = Peer.soon();
        while (true) {
            tidying.run();
            Inventory found = of(peers);
            if (found.equals(this)) {
                return;
            }
            if (deadline.passed()) {
                assertThat(found).isEqualTo(this);
            }
            Thread.yield();
        }
    }

    /** Waits until the event loop of {@code peer} has slept for a moment. */
    static void awaitRest(Peer peer) {
        EventLoop loop = ((IwarpVerbs) peer.verbs).context().loop();
        Deadline deadline = Peer.soon();
        while (true) {
            long turns = loop.turns();
            long end = System.nanoTime() + MILLISECONDS.toNanos(5);
            while (System.nanoTime() - end < 0) {
                Thread.yield();
            }
            if (loop.turns() - turns <= 2) {
                return;
            }
            assertThat(deadline.passed()).as("the event loop spins").isFalse();
        }
    }
}
