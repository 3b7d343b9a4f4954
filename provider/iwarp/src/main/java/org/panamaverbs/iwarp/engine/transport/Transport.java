package org.panamaverbs.iwarp.engine.transport;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Carrier;
import org.panamaverbs.api.cm.TerminateReason;
import org.panamaverbs.iwarp.core.PeerMemory;
import org.panamaverbs.iwarp.core.SharedRing;
import org.panamaverbs.iwarp.iovec.IoVector;
import org.panamaverbs.iwarp.net.FutexWaiter;
import org.panamaverbs.iwarp.net.Pollable;
import org.panamaverbs.iwarp.net.Watch;

/**
 * What carries the bytes of a connection: TCP, TLS over it, or memory that both share. Nothing blocks. Belongs to the
 * event loop while the connection is set up, then to the holder of the stream's lock.
 */
public interface Transport {
    /** What {@link #open} answers when it is open. */
    int OPEN = -1;

    /** What {@link #await} adds where no readiness will tell, since something is there already. */
    int NOW = 4;

    /** Returns what a poller watches for it, which may be another after {@link #open}. */
    Pollable channel();

    // ---- connecting -----------------------------------------------------------------------------------------------

    /** Begins to connect; true if it is done already. */
    boolean connect(InetSocketAddress peer) throws IOException;

    /** Tells whether the attempt to connect has succeeded; false if it goes on. */
    boolean finishConnect() throws IOException;

    /** Sets the byte that IPv4 calls type of service and IPv6 traffic class. */
    void typeOfService(int octet) throws IOException;

    /** Returns the address of this side. */
    InetSocketAddress localAddress() throws IOException;

    /** Returns the peer's address. */
    InetSocketAddress remoteAddress() throws IOException;

    /**
     * Sets the transport up as far as possible now; it is connected.
     *
     * @param again is run on the event loop's thread if the answer is 0, when it is time to call again
     * @return {@link #OPEN}, or the readiness of the channel to wait for, or 0 to wait for {@code again}
     */
    int open(Runnable again) throws IOException;

    /** Returns what carries the bytes from now on, this one or another in its place; asked once it is open. */
    Transport carrier();

    /** Returns in words what an {@link #open} that waits for the peer lacks: "sent no MPA Request". */
    String lacking();

    /**
     * Returns what to connect in this one's place after {@link #open} failed, since the peer does not understand how
     * this one begins; null if that is not so.
     *
     * @throws org.panamaverbs.api.VerbsException if there is no socket for that
     */
    @Nullable
    Transport another();

    /** Tells whether the peer's listener announces itself on this host; asked once {@link #open} was called. */
    default boolean isAnnounced() {
        return false;
    }

    /** Tells whether the peer has understood how this one begins; asked once {@link #open} was called. */
    default boolean isAnswered() {
        return false;
    }

    /** Tells whether bytes go over a wire, which CRC and markers are for; asked once it is open. */
    boolean hasWire();

    /** Returns how many bytes FPDUs are cut for (RFC 5044 §4.1, EMSS); asked once it is open. */
    int segmentBytes() throws IOException;

    /** The set-up of the connection is over: from now on the peer sends FPDUs. */
    void established();

    /**
     * Lets the peer of queue pair {@code number} at memory of the domain {@code domain} beside what is sent to it,
     * where that can be, for what {@code rights} say, bits of {@code Access}: it is called behind {@link #established}.
     *
     * @return the memory of the peer that this side reaches so; null for none
     */
    default @Nullable PeerMemory reach(int domain, int number, int rights) {
        return null;
    }

    /**
     * Returns which access beside what is sent the peer is in although the memory was taken away: a name that no other
     * access has, 0 for none. Somebody waits for its end, maybe another connection.
     */
    default long overdue() {
        return 0;
    }

    /** Lets the peer at memory no longer beside what is sent to it: the stream has failed. */
    default void dismiss() {}

    // ---- bytes ---------------------------------------------------------------------------------------------------

    /**
     * Receives as much as is there and fits; a failure behind some bytes is thrown by the next call.
     *
     * @return the bytes, 0 if there are none, negative at the end of the stream
     */
    long read(IoVector into) throws IOException;

    /** Receives into one buffer. */
    default int read(ByteBuffer into) throws IOException {
        return (int) read(IoVector.of(into));
    }

    /**
     * Has the channel become ready for what somebody waits for.
     *
     * @param wanted {@link Watch#READ} if {@link #read} would be called, {@link Watch#WRITE} if it waits for room
     * @param polled whether threads that poll look for input, so that the channel need not tell of it
     * @return what to watch the channel for; and {@link #NOW} if its readiness will not tell of all of that
     */
    int await(int wanted, boolean polled);

    /** Where a thread sleeps for what comes through a transport. */
    enum Rest {
        /** Nowhere: there is none yet, or not any more. */
        NOWHERE,
        /** At another place: the readiness of the channel tells of it. */
        ELSEWHERE,
        /** At a word that was added for it. */
        AT_WORD,
        /** The same, and there is something already. */
        BUSY
    }

    /**
     * Has the peer wake {@code at} from its next sleep when something is there to be read, where that can be, until
     * {@link #awake}; then the readiness of the channel does not tell of that.
     *
     * @param wanted as for {@link #await}
     */
    default Rest rest(int wanted, FutexWaiter at) {
        return Rest.ELSEWHERE;
    }

    /** Ends a {@link #rest}, one of maybe several; {@link #await} follows. */
    default void awake() {}

    /** The channel was found ready. */
    void ready();

    /**
     * Sends what was taken before, then takes as much of the buffers as can be sent now, and counts it there, also if
     * it fails.
     */
    void write(IoVector from) throws IOException;

    /** Returns the rings that the bytes go through; null if that is not all that they go through. */
    default @Nullable SharedRing ring() {
        return null;
    }

    /** Tells whether a {@link #read} now would bring nothing; then it counts as one. False where that is not known. */
    default boolean isQuiet() throws IOException {
        return false;
    }

    /** The stream is done with all that was read. */
    default void received() {}

    /** Tells whether {@link #write} does something where there is nothing to be sent. */
    default boolean writesWithoutOctets() {
        return true;
    }

    /** Sends from one buffer. */
    default void write(ByteBuffer from) throws IOException {
        write(IoVector.of(from));
    }

    /** Sends what was taken but not sent so far; returns whether nothing of that is left. */
    boolean flush() throws IOException;

    /** Tells whether the last {@link #write} or {@link #flush} has to wait for room in the channel. */
    boolean isBlocked();

    /**
     * Returns how many bytes were sent that the peer has not acknowledged, the end of the output counted as one; or
     * {@link org.panamaverbs.iwarp.net.TcpSocket#UNKNOWN}.
     *
     * @throws IOException if some are left that will never be: the connection has failed
     */
    long unacknowledged() throws IOException;

    // ---- ending ---------------------------------------------------------------------------------------------------

    /**
     * Ends this side's bytes; returns whether the peer will see it, or it has to be called again when there is room.
     */
    boolean shutdownOutput() throws IOException;

    /** Throws away some of what came, as it lies in the channel; returns whether the peer has ended. */
    boolean discard() throws IOException;

    /** Closes the channel, with a reset if {@code reset}. */
    void close(boolean reset);

    /** Returns what became of an established connection that failed so. */
    TerminateReason lost(IOException failure);

    // ---- what is said of it ---------------------------------------------------------------------------------------

    /** Returns the TLS session once it is open, null without TLS. */
    @Nullable
    SSLSession session();

    /** Returns what kind of carrier it is. */
    Carrier kind();

    /** Returns a clause behind what else is said of the connection, once it is open: what carries it; may be empty. */
    String text();
}
