package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Listener;

/** One completion queue for more streams than a poll tries: none of them is forgotten. */
@Timeout(120)
class ManyStreamsTest {
    private static final int STREAMS = 60;
    private static final int LARGE = 300_000;

    private static List<QueuePair> connect(Peer client, Peer server, List<QueuePair> servers) throws Exception {
        List<QueuePair> clients = new ArrayList<>();
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Listener listener = server.verbs.listen(any)) {
            for (int i = 0; i < STREAMS; i++) {
                int id = i;
                Peer.connect(
                        client,
                        server,
                        listener,
                        queuePair -> PostStatus.check(queuePair.recv(id, server.buffer, 0, LARGE)));
                clients.add(client.queuePair());
                servers.add(server.queuePair());
                client.closeFirst(client.connection());
                server.closeFirst(server.connection());
            }
        }
        return clients;
    }

    @ParameterizedTest
    @CsvSource({
        "spin, sockets=libc shm=off",
        "spin, sockets=nio",
        "spin, shm=auto",
        "background, sockets=libc shm=off",
        "background, sockets=nio",
        "background, shm=auto"
    })
    void eachMessageArrivesAndEachEndIsSeen(String progress, String transport) throws Exception {
        String[] options = ("progress=" + progress + " " + transport).split(" ");
        try (Peer client = new Peer(4 * STREAMS, options);
                Peer server = new Peer(4 * STREAMS, options)) {
            List<QueuePair> servers = new ArrayList<>();
            List<QueuePair> clients = connect(client, server, servers);
            // More than a socket takes at once: what is left over needs the client's poll.
            Background<Integer> sent = Background.start(() -> {
                int completed = 0;
                for (int i = 0; i < STREAMS; i++) {
                    PostStatus.check(clients.get(i).send(i, client.buffer, 0, LARGE, SendFlag.SIGNALED));
                }
                while (completed < STREAMS) {
                    client.nextOk();
                    completed++;
                }
                return completed;
            });
            BitSet arrived = new BitSet();
            while (arrived.cardinality() < STREAMS) {
                WorkCompletion next = server.nextOk();
                assertThat(next.opcode()).isEqualTo(WcOpcode.RECV);
                arrived.set((int) next.wrId());
            }
            assertThat(sent.get()).isEqualTo(STREAMS);

            clients.forEach(QueuePair::close);
            WorkCompletions none = WorkCompletions.ofCapacity(1);
            for (QueuePair queuePair : servers) {
                Raw.await("that the server sees the end of each", () -> {
                    server.queue.poll(none);
                    return queuePair.state() == QueuePairState.ERROR;
                });
            }
        }
    }
}
