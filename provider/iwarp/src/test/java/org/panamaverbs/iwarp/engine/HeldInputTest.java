package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.iwarp.core.Negotiated;
import org.panamaverbs.iwarp.core.Rtr;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.testkit.Requirement;

/**
 * A peer under TLS that asks for answers and takes none: nothing more is read of it, and nobody looks at it in vain.
 */
@Timeout(60)
class HeldInputTest {
    private static final RemoteBuffer ANYWHERE =
            RemoteBuffer.of(0x1234, 0, Peer.BUFFER_BYTES, Access.mask(Access.REMOTE_WRITE));
    private static final Negotiated AGREED =
            new Negotiated(true, false, false, false, 2, Rtr.NONE, 16, 16, 16, 16, 1460);

    private static SelectionKey establish(EventLoop loop, StreamDriver driver, Transport transport) throws Exception {
        CompletableFuture<SelectionKey> made = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                SelectionKey key = loop.register(transport.channel(), SelectionKey.OP_READ, driver);
                driver.establish(transport, key, AGREED, null, System.nanoTime());
                made.complete(key);
            } catch (IOException e) {
                made.completeExceptionally(new UncheckedIOException(e));
            }
        });
        return made.get(20, TimeUnit.SECONDS);
    }

    /** The client sends octets of an FPDU that it never ends; behind new keys if they were asked for. */
    private static void send(TlsLink link, byte... octets) throws IOException {
        TlsLink.write(link.client, octets);
        for (long i = 0; link.toServer() == 0; i++) {
            TlsLink.bound(i);
        }
    }

    @Test
    @Requirement("SEC-6.4.2-01")
    void theLoopDoesNotSpinOnAPeerThatTakesNoAnswer() throws Exception {
        try (TlsLink link = new TlsLink(60_000).open();
                Peer server = new Peer("progress.timeout=off", "nudge=off")) {
            IwarpQueuePair queuePair = ((IwarpProtectionDomain) server.domain).create(server.config());
            server.closeFirst(queuePair);
            SelectionKey key = establish(((IwarpVerbs) server.verbs).loop(), queuePair.driver(), link.server);
            int posted = 0;
            // More than what makes it block, which a little that is taken later must not end.
            for (int more = 16; more > 0; more -= key.interestOps() == SelectionKey.OP_READ ? 0 : 1) {
                PostStatus.check(queuePair.write(posted++, server.buffer, 0, Peer.BUFFER_BYTES, ANYWHERE, 0, 0));
            }
            // The length of the longest, and an RDMA Write.
            send(link, (byte) 0xFF, (byte) 0xFF, (byte) 0xC1, (byte) 0x40);
            send(link, new byte[12]);
            ByteBuffer received = ByteBuffer.allocate(100_000);
            long octets = 0;
            // Where in a record the output is blocked is up to the sockets: at times an answer still fits.
            for (int i = 0; key.interestOps() != SelectionKey.OP_WRITE; i++) {
                assertThat(i).as("key updates that it took").isLessThan(30);
                link.toClient();
                octets += link.client.read(received.clear());
                link.clientEngine.beginHandshake();
                send(link, (byte) 0);
                queuePair.driver().progress();
            }
            send(link, (byte) 0);
            queuePair.driver().progress();
            assertThat(key.interestOps()).as("there is something to be read").isEqualTo(SelectionKey.OP_WRITE);

            for (long i = 0; octets < (long) posted * Peer.BUFFER_BYTES; i++) {
                link.toClient();
                octets += link.client.read(received.clear());
                TlsLink.bound(i);
            }
            Raw.await("that it is watched again", () -> key.interestOps() == SelectionKey.OP_READ);
        }
    }
}
