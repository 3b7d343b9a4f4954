package org.panamaverbs.iwarp.engine.transport.shm;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.support.LaterLog;
import org.panamaverbs.iwarp.engine.context.SharedMemoryOptions;
import org.panamaverbs.iwarp.engine.context.SharedMemoryOptions.Mode;
import org.panamaverbs.iwarp.engine.transport.SocketErrors;
import org.panamaverbs.iwarp.engine.transport.TcpTransport;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.iwarp.net.TcpSocket;
import org.panamaverbs.iwarp.net.unix.Hint;

/** Makes the transports of a context that share memory with peers of this host where they can. Any thread. */
public final class SameHostTransports {
    private final SharedMemoryOptions options;
    private final RingQuota quota;
    private final IntSupplier random;
    private final String report;

    /** Makes the transports of a context; {@code report} is the clause that says how TCP is reached. */
    public SameHostTransports(SharedMemoryOptions options, IntSupplier random, String report) {
        this.options = options;
        this.random = random;
        this.report = report;
        quota = new RingQuota(options.most());
    }

    /** Returns the clause that says why a connection with a peer of this host under TLS shares no memory. */
    public static String besideTls(Mode mode) {
        return mode == Mode.OFF ? "" : SameHostTransport.clause("TLS excludes it");
    }

    /**
     * Returns what connects by {@code socket} where {@code mode} is what is wanted of shared memory.
     *
     * @param withoutOffer makes what connects by TCP alone, for a peer that does not understand the Offer
     */
    public TcpTransport connecting(TcpSocket socket, Mode mode, Supplier<Transport> withoutOffer) {
        return mode == Mode.OFF
                ? new TcpTransport(socket, report)
                : new OfferingTransport(socket, report, options.with(mode), quota, random, withoutOffer);
    }

    /** Returns what carries the connection of {@code socket}, which a listener has accepted. */
    public TcpTransport accepted(TcpSocket socket) {
        return options.isWanted()
                ? new AnsweringTransport(socket, report, options, quota)
                : new TcpTransport(socket, report);
    }

    /**
     * Returns the hint that a listener at {@code address} takes Offers; null if it gives none.
     *
     * @throws IOException if it can give none, and takes nobody without an Offer
     */
    public @Nullable Hint hint(InetSocketAddress address) throws IOException {
        if (!options.isWanted()) {
            return null;
        }
        String obstacle = options.obstacle();
        if (obstacle.isEmpty()) {
            try {
                Hint hint = HintNames.bind(address);
                if (hint != null) {
                    return hint;
                }
                obstacle = "another process has the name that tells of it";
            } catch (IOException e) {
                obstacle = SocketErrors.message(e);
            }
        }
        IOException why = new IOException("a listener cannot offer shared memory: " + obstacle);
        if (options.isRequired()) {
            throw why;
        }
        LaterLog.log(SameHostTransports.class, System.Logger.Level.DEBUG, "peers of this host connect by TCP", why);
        return null;
    }
}
