package org.panamaverbs.disni;

import com.ibm.disni.RdmaActiveEndpoint;
import com.ibm.disni.RdmaActiveEndpointGroup;
import com.ibm.disni.RdmaServerEndpoint;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCmId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A group of DiSNI's endpoints with a server's endpoint that listens: DiSNI as its programs have it. */
public final class Endpoints implements AutoCloseable {
    private static final int MILLIS = 1000;
    private static final int QUEUE = 16;

    final RdmaActiveEndpointGroup<Active> group;
    final RdmaServerEndpoint<Active> server;

    /** An endpoint that is only connected. */
    static final class Active extends RdmaActiveEndpoint {
        Active(RdmaActiveEndpointGroup<Active> group, RdmaCmId id, boolean serverSide) throws IOException {
            super(group, id, serverSide);
        }

        @Override
        public void dispatchCqEvent(IbvWC completion) {
            // Nothing is posted.
        }
    }

    Endpoints() throws Exception {
        group = new RdmaActiveEndpointGroup<>(MILLIS, false, QUEUE, 1, QUEUE);
        group.init((id, serverSide) -> new Active(group, id, serverSide));
        server = group.createServerEndpoint();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), QUEUE);
    }

    /** Begins to accept the next peer; the future fails with what {@code accept} throws. */
    CompletableFuture<Active> accepting() {
        CompletableFuture<Active> accepted = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("acceptor").start(() -> {
            try {
                accepted.complete(server.accept());
            } catch (IOException | RuntimeException e) {
                accepted.completeExceptionally(e);
            }
        });
        return accepted;
    }

    /** Connects an endpoint of the same group to the server's, and closes both. */
    void connect() throws Exception {
        CompletableFuture<Active> accepting = accepting();
        Active client = group.createEndpoint();
        client.connect(server.getSrcAddr(), MILLIS);
        Active accepted = accepting.get(20, TimeUnit.SECONDS);
        client.close();
        accepted.close();
    }

    /** Closes the server's endpoint and the group, as far as they are open. */
    @Override
    public void close() throws IOException {
        try {
            group.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Has a group do all that a program does, and ends it; for a class loader that the test makes. */
    public static void use() throws Exception {
        try (Endpoints endpoints = new Endpoints()) {
            endpoints.connect();
        }
    }
}
