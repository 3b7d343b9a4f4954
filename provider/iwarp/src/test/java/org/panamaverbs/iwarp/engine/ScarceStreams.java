package org.panamaverbs.iwarp.engine;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.iwarp.net.LibcErrors;

/**
 * Polls many streams of one queue, with {@code progress=spin}, in a JVM that has too few descriptors to have the system
 * watch them, and again when it has; prints what came of it.
 */
final class ScarceStreams {
    private static final int STREAMS = 20;
    private static final String[] OPTIONS = {"progress=spin", "sockets=libc", "shm=off"};

    private ScarceStreams() {}

    /** Two sides with as many connections as one poll does not look at. */
    private static final class Pair implements AutoCloseable {
        private final Peer client = new Peer(OPTIONS);
        private final Peer server = new Peer(OPTIONS);
        private final List<QueuePair> clients = new ArrayList<>();
        private final List<QueuePair> servers = new ArrayList<>();

        Pair() throws InterruptedException {
            try (Listener listener = server.verbs.listen(Raw.ANY_PORT)) {
                for (int i = 0; i < STREAMS; i++) {
                    Peer.connect(client, server, listener);
                    clients.add(client.queuePair());
                    servers.add(server.queuePair());
                    client.closeFirst(client.connection());
                    server.closeFirst(server.connection());
                }
            }
        }

        /** Sends a message over each and returns how many were received. */
        int exchange() {
            for (int i = 0; i < STREAMS; i++) {
                PostStatus.check(servers.get(i).recv(i, server.buffer, 0, 8));
                PostStatus.check(clients.get(i).send(i, client.buffer, 0, 8, SendFlag.SIGNALED));
            }
            int arrived = 0;
            for (int i = 0; i < STREAMS; i++) {
                arrived += client.next().ok() && server.next().ok() ? 1 : 0;
            }
            return arrived;
        }

        /** Returns why connections have failed. */
        List<String> failures() {
            List<String> causes = new ArrayList<>();
            for (QueuePair each : servers) {
                if (each.state() != QueuePairState.RTS) {
                    causes.add(each.terminateCause().toString());
                }
            }
            return causes;
        }

        @Override
        public void close() {
            client.close();
            server.close();
        }
    }

    public static void main(String[] arguments) throws Exception {
        // What is loaded later needs a descriptor.
        System.getLogger(ScarceStreams.class.getName())
                .log(System.Logger.Level.WARNING, LibcErrors.of("eventfd", Libc.EMFILE()));
        try (Pair pair = new Pair()) {
            pair.exchange();
            pair.failures();
        }
        try (Pair pair = new Pair()) {
            List<FileInputStream> held = new ArrayList<>();
            fill(held);
            held.removeLast().close();

            int without = pair.exchange();
            List<String> failures = pair.failures();
            for (FileInputStream one : held) {
                one.close();
            }
            System.out.println("without=" + without + ", failures=" + failures);
            Raw.await("that the system watches them", () -> pair.exchange() == STREAMS && isWatched());
            System.out.println("failures=" + pair.failures());
        }
    }

    /** Tells whether there are more pollers than those of the two event loops. */
    private static boolean isWatched() {
        int pollers = 0;
        for (String name : Objects.requireNonNull(new File("/proc/self/fd").list())) {
            try {
                Path target = Files.readSymbolicLink(Path.of("/proc/self/fd", name));
                pollers += target.toString().contains("[eventpoll]") ? 1 : 0;
            } catch (IOException e) {
                // It was closed meanwhile.
            }
        }
        return pollers > 2;
    }

    private static void fill(List<FileInputStream> held) {
        try {
            while (true) {
                held.add(new FileInputStream("/dev/null"));
            }
        } catch (IOException e) {
            // There are no more.
        }
    }
}
