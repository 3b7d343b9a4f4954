package org.panamaverbs.cli.rping;

import java.net.InetSocketAddress;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.cli.command.CommandFailure;
import org.panamaverbs.cli.command.NamedAddress;
import org.panamaverbs.memory.RegisteredBuffer;

/**
 * The side of rping that connects. For each ping it advertises its source buffer, which the server reads, then its sink
 * buffer, which the server writes the same data to.
 */
final class RpingClient {
    /** One read of the server may be outstanding here; none leaves from here, but peers may refuse a depth of 0. */
    private static final int DEPTH = 1;

    private final RpingCommand options;
    private final RpingConsole console;

    RpingClient(RpingCommand options, RpingConsole console) {
        this.options = options;
        this.console = console;
    }

    /** Runs all pings; returns normally if each went there and back. */
    void run(Verbs verbs) {
        int size = options.size;
        ConnectionConfig config =
                ConnectionConfig.defaults().withDepths(DEPTH, DEPTH).withPeerToPeer(false);
        if (options.source != null) {
            config = config.withLocalAddress(NamedAddress.resolved(options.source, 0));
        }
        InetSocketAddress server = options.place();
        try (RpingPeer peer = new RpingPeer(verbs, options.timeout())) {
            RegisteredBuffer source = peer.allocate(size);
            RegisteredBuffer sink = peer.allocate(size);
            Connection connection = verbs.connect(server, peer.queuePair(), config, Deadline.in(options.timeout()));
            peer.connected(connection);
            console.connected("connected to ", connection);
            for (int ping = 0; options.count == 0 || ping < options.count; ping++) {
                ping(peer, source, sink, ping & Integer.MAX_VALUE);
            }
            peer.disconnect();
            console.debug("disconnected");
        } catch (RpingPeer.PeerClosedException e) {
            throw new CommandFailure(e.getMessage() + " before all pings were done" + hint(), e);
        } catch (RpingPeer.StreamFailedException e) {
            throw new CommandFailure(e.getMessage() + hint(), e);
        }
    }

    private String hint() {
        return " (the server's -S must be at least the " + options.size + " of this client)";
    }

    private void ping(RpingPeer peer, RegisteredBuffer source, RegisteredBuffer sink, int number) {
        int size = options.size;
        PingData.fill(source.segment(), number, size);
        if (options.validate) {
            sink.segment().fill((byte) 0xFF);
        }

        peer.advertise(source, size);
        peer.receive("the server to read ping " + number);
        peer.advertise(sink, size);
        peer.receive("the server to write ping " + number);

        if (options.validate) {
            long differs = source.segment().mismatch(sink.segment());
            if (differs >= 0) {
                throw new CommandFailure("data mismatch! ping " + number + " of " + size
                        + " bytes came back changed from byte " + differs + " on");
            }
        }
        if (options.verbose) {
            console.print("ping data: " + PingData.text(sink.segment(), size));
        }
    }
}
