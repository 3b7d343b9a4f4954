package org.panamaverbs.iwarp.engine.transport;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.iwarp.engine.device.EventLoop;
import org.panamaverbs.iwarp.engine.device.SharedMemoryOptions;
import org.panamaverbs.iwarp.net.TcpSocket;
import org.panamaverbs.iwarp.net.unix.Hint;
import org.panamaverbs.iwarp.net.unix.SharedDirectory;
import org.panamaverbs.iwarp.shm.DirectDomains;
import org.panamaverbs.spi.support.DeferredLog;

/** Makes the transports of a context that share memory with peers of this host where they can. Any thread. */
public final class SameHostTransports {
    private final SharedMemoryOptions options;
    private final RingQuota quota;
    private final DirectDomains domains;
    private final KeptRings kept;
    private final IntSupplier random;
    private final String report;
    // Directories whose leftovers were removed.
    private final Set<Path> tidied = ConcurrentHashMap.newKeySet();

    /**
     * Makes the transports of a context; {@code report} is the clause that says how TCP is reached.
     *
     * @param domains whose memory peers may reach
     * @param loop closes what is kept too long
     */
    public SameHostTransports(
            SharedMemoryOptions options, DirectDomains domains, EventLoop loop, IntSupplier random, String report) {
        this.options = options;
        this.domains = domains;
        kept = new KeptRings(loop);
        this.random = random;
        this.report = report;
        quota = new RingQuota(options.most());
    }

    /** Closes what is kept of connections that have ended; those that end later leave nothing. */
    void close() {
        kept.close();
    }

    /** Returns the clause that says why a connection with a peer of this host under TLS shares no memory. */
    public static String besideTls(SharedMemoryOptions.Mode mode) {
        return mode == SharedMemoryOptions.Mode.OFF ? "" : SameHostTransport.clause("TLS excludes it");
    }

    /**
     * Returns what connects by {@code socket} where {@code wish} is what is wanted of shared memory.
     *
     * @param withoutOffer makes what connects by TCP alone, for a peer that does not understand the Offer
     */
    public TcpTransport connecting(TcpSocket socket, SharedMemoryOptions wish, Supplier<Transport> withoutOffer) {
        if (!wish.isWanted()) {
            return new TcpTransport(socket, report);
        }
        // What it needs is loaded and tried now, on the caller's thread: once TCP has connected, the peer waits, and
        // siw no longer than five seconds.
        String obstacle = wish.obstacle();
        Path directory = wish.directory();
        if (directory != null && obstacle.isEmpty() && tidied.add(directory)) {
            tidy(directory);
        }
        return new OfferingTransport(socket, report, wish, quota, domains, kept, random, withoutOffer);
    }

    private static void tidy(Path directory) {
        try {
            DirectoryPlace.removeLeftovers(directory);
        } catch (IOException e) {
            // Connections say it.
            DeferredLog.log(
                    SameHostTransports.class,
                    System.Logger.Level.DEBUG,
                    "leftover sockets cannot be removed from " + directory,
                    e);
        }
    }

    /** Returns what carries the connection of {@code socket}, which a listener has accepted. */
    public TcpTransport accepted(TcpSocket socket) {
        return options.isWanted()
                ? new AnsweringTransport(socket, report, options, quota, domains, kept, random)
                : new TcpTransport(socket, report);
    }

    /**
     * Returns what tells that a listener at {@code address} takes Offers; null if it takes none.
     *
     * @throws IOException if it cannot be told, and nobody is taken without an Offer
     */
    public @Nullable Presence presence(InetSocketAddress address) throws IOException {
        if (!options.isWanted()) {
            return null;
        }
        String obstacle = options.obstacle();
        if (!obstacle.isEmpty()) {
            mustGoOn(Reason.NEGOTIATION, obstacle);
            return null;
        }
        Hint hint = null;
        boolean told = false;
        try {
            hint = hint(address);
            Presence presence = new Presence(hint, directory(address));
            told = true;
            return presence;
        } finally {
            if (!told && hint != null) {
                hint.close();
            }
        }
    }

    /**
     * Tells peers in this network namespace. Whoever has the name already, which any user can take, tells them as well:
     * the Offer goes to the listener all the same.
     */
    private @Nullable Hint hint(InetSocketAddress address) throws IOException {
        Hint hint = null;
        try {
            hint = NetworkNamespace.tell(address);
            if (hint == null) {
                String name = NetworkNamespace.hint(address);
                DeferredLog.log(
                        SameHostTransports.class,
                        System.Logger.Level.WARNING,
                        "another process uses the abstract name @" + name + " that announces a listener; the listener"
                                + " continues without it; remedy: end that process, which `ss -xap` names, then"
                                + " listen again");
            }
        } catch (IOException e) {
            mustGoOn(SetupFailure.ofSharing(e), SocketErrors.message(e));
        }
        return hint;
    }

    /** Tells peers in other network namespaces. */
    private @Nullable SharedDirectory directory(InetSocketAddress address) throws IOException {
        Path directory = options.directory();
        if (directory == null) {
            return null;
        }
        tidy(directory);
        try {
            return DirectoryPlace.tell(directory, address);
        } catch (IOException e) {
            mustGoOn(SetupFailure.ofSharing(e), SocketErrors.message(e));
            return null;
        }
    }

    /** Throws because of {@code obstacle} if shared memory is required; else it is logged. */
    private void mustGoOn(Reason reason, String obstacle) throws IOException {
        String what = "a listener cannot offer shared memory: " + obstacle;
        if (options.isRequired()) {
            throw SetupFailure.noSharedMemory(reason, what);
        }
        IOException why = new IOException(what);
        String text = "peers on this host connect over TCP";
        if (options.directory() == null) {
            DeferredLog.log(SameHostTransports.class, System.Logger.Level.DEBUG, text, why);
        } else {
            // A directory was asked for; that it is of no use should be seen.
            DeferredLog.log(SameHostTransports.class, System.Logger.Level.WARNING, text, why);
        }
    }
}
