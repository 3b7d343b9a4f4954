package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.engine.device.EventLoop;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.iwarp.net.Watch;
import org.panamaverbs.iwarp.verbs.IwarpVerbs;
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
            Negotiated.builder(true).depths(16).emss(1460).build();

    private static Watch establish(EventLoop loop, StreamDriver driver, Transport transport) throws Exception {
        CompletableFuture<Watch> made = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                Watch watch = loop.register(transport.channel(), Watch.READ, driver);
                driver.establish(transport, watch, AGREED, null, System.nanoTime());
                made.complete(watch);
            } catch (IOException e) {
                made.completeExceptionally(new UncheckedIOException(e));
            }
        });
        return made.get(20, TimeUnit.SECONDS);
    }

    /** The client sends bytes of an FPDU that it never ends; behind new keys if they were asked for. */
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
                Peer server = new Peer("progress.timeout=off", "probe=off")) {
            IwarpQueuePair queuePair = ((IwarpProtectionDomain) server.domain).create(server.config());
            server.closeFirst(queuePair);
            Watch watch = establish(((IwarpVerbs) server.verbs).context().loop(), queuePair.driver(), link.server);
            int posted = 0;
            // More than what makes it block, which a little that is taken later must not end.
            for (int more = 16; more > 0; more -= watch.interest() == Watch.READ ? 0 : 1) {
                PostStatus.check(queuePair.write(posted++, server.buffer, 0, Peer.BUFFER_BYTES, ANYWHERE, 0, 0));
            }
            // The length of the longest, and an RDMA Write.
            send(link, (byte) 0xFF, (byte) 0xFF, (byte) 0xC1, (byte) 0x40);
            send(link, new byte[12]);
            ByteBuffer received = ByteBuffer.allocate(100_000);
            long octets = 0;
            // Where in a record the output is blocked is up to the sockets: at times an answer still fits.
            for (int i = 0; watch.interest() != Watch.WRITE; i++) {
                assertThat(i).as("key updates that it took").isLessThan(30);
                link.toClient();
                octets += link.client.read(received.clear());
                link.clientEngine.beginHandshake();
                send(link, (byte) 0);
                queuePair.driver().progress();
            }
            send(link, (byte) 0);
            queuePair.driver().progress();
            assertThat(watch.interest()).as("there is something to be read").isEqualTo(Watch.WRITE);

            for (long i = 0; octets < (long) posted * Peer.BUFFER_BYTES; i++) {
                link.toClient();
                octets += link.client.read(received.clear());
                TlsLink.bound(i);
            }
            Raw.await("that it is watched again", () -> watch.interest() == Watch.READ);
        }
    }
}
