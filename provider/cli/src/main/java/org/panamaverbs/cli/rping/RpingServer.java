package org.panamaverbs.cli.rping;

import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.cli.command.CommandFailure;
import org.panamaverbs.memory.RegisteredBuffer;

/**
 * The side of rping that listens: it reads each ping from the client and writes it back. It serves one client, or with
 * {@code -P} each in a thread of its own until the process is ended.
 */
final class RpingServer {
    /** One read is outstanding at a time, as in the C program. */
    private static final int DEPTH = 1;

    private final RpingCommand options;
    private final RpingConsole console;
    private final AtomicInteger clients = new AtomicInteger();

    RpingServer(RpingCommand options, RpingConsole console) {
        this.options = options;
        this.console = console;
    }

    /** Serves; {@code listening} gets the address as soon as clients can connect. */
    void run(Verbs verbs, Consumer<InetSocketAddress> listening) {
        InetSocketAddress address = options.place();
        try (Listener listener = verbs.listen(address)) {
            listening.accept(listener.localAddress());
            console.report("listening on " + RpingConsole.text(listener.localAddress()));
            if (options.persistent) {
                while (!Thread.currentThread().isInterrupted()) {
                    ConnectionRequest request = listener.accept(Deadline.never());
                    Thread.ofPlatform()
                            .name("rping-client-" + clients.incrementAndGet())
                            .start(() -> serveOneOfMany(verbs, request));
                }
            } else {
                serve(verbs, listener.accept(Deadline.never()));
            }
        }
    }

    private void serveOneOfMany(Verbs verbs, ConnectionRequest request) {
        String client = RpingConsole.text(request.remoteAddress());
        try {
            serve(verbs, request);
        } catch (VerbsException | CommandFailure e) {
            console.report("rping: client " + client + ": " + e.getMessage());
        }
    }

    private void serve(Verbs verbs, ConnectionRequest request) {
        try (request;
                RpingPeer peer = new RpingPeer(verbs, options.timeout())) {
            RegisteredBuffer buffer = peer.allocate(options.size);
            ConnectionConfig config =
                    ConnectionConfig.defaults().withDepths(DEPTH, DEPTH).withPeerToPeer(false);
            Connection connection = request.accept(peer.queuePair(), config, Deadline.in(options.timeout()));
            peer.connected(connection);
            console.connected("accepted ", connection);
            int pings = 0;
            while (serve(peer, buffer)) {
                pings++;
            }
            console.debug("client disconnected after " + pings + " pings");
        } catch (RpingPeer.PeerClosedException e) {
            throw new CommandFailure(e.getMessage() + " in the middle of a ping", e);
        }
    }

    /** Serves one ping; returns false if the client closed instead of asking for one. */
    private boolean serve(RpingPeer peer, RegisteredBuffer buffer) {
        RpingInfo source;
        try {
            source = peer.receive("the client to advertise its source");
        } catch (RpingPeer.PeerClosedException e) {
            console.debug(String.valueOf(e.getMessage()));
            return false;
        }
        long size = Integer.toUnsignedLong(source.size());
        if (size == 0 || size > buffer.length()) {
            throw new CommandFailure("the client's pings have " + size + " bytes, but this server's buffer has "
                    + buffer.length() + "; remedy: start both with the same -S");
        }
        peer.read(buffer, source);
        if (options.verbose) {
            console.print("server ping data: " + PingData.text(buffer.segment(), (int) size));
        }
        peer.send(RpingInfo.GO_AHEAD);

        RpingInfo sink = peer.receive("the client to advertise its sink");
        peer.write(buffer, Math.min(size, Integer.toUnsignedLong(sink.size())), sink);
        try {
            peer.send(RpingInfo.GO_AHEAD);
        } catch (RpingPeer.PeerClosedException e) {
            // The client may close as soon as it has this, before it is known here that it has.
            console.debug(String.valueOf(e.getMessage()));
        }
        return true;
    }
}
