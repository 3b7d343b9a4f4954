package org.panamaverbs.sockets.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.memory.Resources;
import org.panamaverbs.sockets.rsocket.Message;

@Timeout(60)
class TransmitterTest {
    private final Deadline deadline = Deadline.in(30, TimeUnit.SECONDS);

    /** A request's id has 48 bits for what was put into the ring. */
    @Test
    void placesAreFreeAgainWhereTheCountOfOctetsOutgrowsTheIds() {
        StreamSizes sizes = StreamSizes.defaults();
        try (Resources scope = new Resources()) {
            Verbs verbs = scope.add(Verbs.open(OpenConfig.provider("iwarp")));
            ProtectionDomain domain = scope.add(verbs.protectionDomain());
            StreamParts client = scope.add(new StreamParts(verbs, domain, sizes));
            StreamParts server = scope.add(new StreamParts(verbs, domain, sizes));
            Listener listener = scope.add(verbs.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
            CompletableFuture<Connection> accepted = CompletableFuture.supplyAsync(
                    () -> listener.accept(deadline).accept(server.queuePair, server.config(false), deadline));
            scope.add(verbs.connect(listener.localAddress(), client.queuePair, client.config(false), deadline));
            scope.add(accepted.join());

            Transmitter transmitter = new Transmitter(client, (1L << 48) - 3L * sizes.sendBytes());
            WorkCompletions completions = WorkCompletions.ofCapacity(16);
            ByteBuffer part = ByteBuffer.allocate(Math.min(sizes.sendBytes() / 2, sizes.receiveBytes()));
            for (int sent = 0; sent < 20; sent++) {
                while (transmitter.room() < part.capacity()) {
                    assertThat(transmitter.poll(completions)).isTrue();
                    assertThat(deadline.passed()).as("room after " + sent).isFalse();
                }
                transmitter.copy(part.clear(), part.capacity());
                PostStatus.check(transmitter.data(
                        server.offered.bufferAddress(), server.offered.bufferKey(), Message.DISCONNECT));
            }
        }
    }
}
