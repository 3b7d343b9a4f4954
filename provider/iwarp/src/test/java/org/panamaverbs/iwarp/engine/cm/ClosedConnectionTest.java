package org.panamaverbs.iwarp.engine.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.Carrier;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.engine.FailingTransport;
import org.panamaverbs.iwarp.engine.IwarpCompletionQueue;
import org.panamaverbs.iwarp.engine.IwarpProtectionDomain;
import org.panamaverbs.iwarp.engine.IwarpQueuePair;
import org.panamaverbs.iwarp.engine.Streams;
import org.panamaverbs.iwarp.engine.device.Context;
import org.panamaverbs.iwarp.engine.device.IwarpOptions;
import org.panamaverbs.iwarp.engine.device.SocketsReport;
import org.panamaverbs.iwarp.engine.transport.TcpTransport;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.iwarp.engine.transport.Transports;
import org.panamaverbs.iwarp.net.TcpSocket;
import org.panamaverbs.iwarp.net.Watch;
import org.panamaverbs.iwarp.wire.Octets;
import org.panamaverbs.memory.ManagedResource;

/** A connection that could not be aborted when it was closed: its queue pair is closed, and it can be closed again. */
@Timeout(60)
class ClosedConnectionTest {
    private static final Negotiated AGREED =
            Negotiated.builder(true).depths(1).emss(1000).build();

    private static final class Owner extends ManagedResource {
        Owner() {
            super("a test");
        }
    }

    @Test
    void closesTheQueuePairThatItOwnsAndCanBeClosedAgain() throws Exception {
        Owner owner = new Owner();
        Context context = new Context(owner, IwarpOptions.parse(Map.of(), new Properties()));
        Streams streams = new Streams(context);
        IwarpProtectionDomain domain = new IwarpProtectionDomain(streams, 1);
        IwarpCompletionQueue queue = new IwarpCompletionQueue(streams, 2, 16, null);
        try (ServerSocketChannel server =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            TcpSocket near = context.sockets().open(false);
            near.connect((InetSocketAddress) server.getLocalAddress());
            try (SocketChannel far = server.accept()) {
                assertThat(near.finishConnect()).isTrue();
                AtomicBoolean fails = new AtomicBoolean(true);
                Transport failing =
                        FailingTransport.of(new TcpTransport(near, ""), "close", () -> fails.getAndSet(false));
                IwarpQueuePair queuePair = domain.create(QueuePairConfig.of(domain, queue));
                establish(context, queuePair, failing);
                CmContext cm = new CmContext(
                        context, streams, new Transports(context, SocketsReport.of(context.sockets(), true)));
                InetSocketAddress address = (InetSocketAddress) far.getLocalAddress();
                IwarpConnection connection = new IwarpConnection(
                        cm,
                        queuePair,
                        true,
                        new Attempt.Established(
                                AGREED, address, address, Octets.of(new byte[0]), Carrier.TCP, "", null));

                assertThatThrownBy(connection::close).isInstanceOf(OutOfMemoryError.class);
                assertThat(queuePair.isOpen()).isFalse();
                assertThatThrownBy(owner::close).hasMessageContaining(connection.resourceName());

                connection.close();
                assertThat(queuePair.driver().state().operational()).isFalse();
            }
            queue.close();
            domain.close();
            owner.close();
        } finally {
            context.close();
        }
    }

    private static void establish(Context context, IwarpQueuePair queuePair, Transport transport) throws Exception {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        context.loop().execute(() -> {
            try {
                Watch watch = context.loop().register(transport.channel(), Watch.READ, queuePair.driver());
                done.complete(queuePair.driver().establish(transport, watch, AGREED, null, System.nanoTime()));
            } catch (IOException e) {
                done.completeExceptionally(new UncheckedIOException(e));
            } catch (RuntimeException | Error e) {
                done.completeExceptionally(e);
            }
        });
        assertThat(done.get(20, TimeUnit.SECONDS)).isTrue();
    }
}
