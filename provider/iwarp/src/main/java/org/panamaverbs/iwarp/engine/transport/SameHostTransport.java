package org.panamaverbs.iwarp.engine.transport;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.iwarp.engine.device.SharedMemoryOptions;
import org.panamaverbs.iwarp.engine.device.SharedMemoryOptions.Direct;
import org.panamaverbs.iwarp.engine.transport.KeptRings.Kept;
import org.panamaverbs.iwarp.engine.transport.KeptRings.Owner;
import org.panamaverbs.iwarp.net.Pollable;
import org.panamaverbs.iwarp.net.TcpSocket;
import org.panamaverbs.iwarp.net.unix.FileMessage;
import org.panamaverbs.iwarp.net.unix.OutwardLink;
import org.panamaverbs.iwarp.net.unix.PeerUser;
import org.panamaverbs.iwarp.net.unix.ReceivedFile;
import org.panamaverbs.iwarp.net.unix.SealedFile;
import org.panamaverbs.iwarp.net.unix.UnixSocket;
import org.panamaverbs.iwarp.shm.AccessProof;
import org.panamaverbs.iwarp.shm.DirectDomains;
import org.panamaverbs.iwarp.shm.DirectLink;
import org.panamaverbs.iwarp.wire.Octets;
import org.panamaverbs.iwarp.wire.ShmOffer;

/**
 * TCP whose peer may be on this host: finds that out while it is opened, and agrees with the peer on shared memory over
 * the connection itself. What it carries bytes by then is its {@link #carrier}: rings, or TCP.
 *
 * <p>Each side waits for one channel at a time. A side that cannot go on closes the Unix connection, and both stay on
 * TCP; only the initiator's last byte there ends that. So whoever sends its file has all that it needs by then. From
 * then on both close the Unix connection, and TCP carries nothing but what wakes a peer that sleeps.
 *
 * <pre>
 * initiator                                  responder
 *   Offer: name, token             TCP  ->
 *                                  <- Unix   connects to the name, and shows the token
 *                                  <- TCP    Answer
 *   its file, with what it asks    Unix ->
 *                                  <- Unix   its file, with the same and its answer
 *   "taken", behind its answer     Unix ->
 *   MPA Request                  rings ->
 * </pre>
 */
abstract class SameHostTransport extends TcpTransport {
    /** What a step answers when the next one can be taken at once. */
    static final int GO_ON = -2;

    private static final int SIZE_BYTES = Long.BYTES;

    /** What is wanted of shared memory. */
    final SharedMemoryOptions wish;

    private final String sockets;
    private final RingQuota quota;
    /** Whose memory peers may reach. */
    final DirectDomains domains;

    /** The rings of connections that have ended. */
    final KeptRings kept;
    /** Gives numbers that nobody can foresee. */
    final IntSupplier random;

    private boolean hasPlace;
    // Rings that are to be used again; null if new ones are made.
    private @Nullable Kept again;
    private @Nullable Owner owner;
    private @Nullable UnixSocket line;
    // Who has its other end, asked once: whether that is this user takes files of /proc.
    private @Nullable PeerUser user;
    private boolean sameUser;
    private @Nullable SealedFile own;
    private @Nullable ReceivedFile received;
    private @Nullable SharedRings rings;
    // What this side asks the peer; null if neither is to reach the other's memory.
    private @Nullable AccessProof proof;
    private ByteBuffer message = ByteBuffer.allocate(0);
    private @Nullable Transport carrier;

    SameHostTransport(
            TcpSocket socket,
            String sockets,
            SharedMemoryOptions wish,
            RingQuota quota,
            DirectDomains domains,
            KeptRings kept,
            IntSupplier random) {
        super(socket, sockets);
        this.sockets = sockets;
        this.wish = wish;
        this.quota = quota;
        this.domains = domains;
        this.kept = kept;
        this.random = random;
    }

    /** Takes the next step; answers as {@link #open}, or {@link #GO_ON}. */
    abstract int step() throws IOException;

    @Override
    public final int open(Runnable again) throws IOException {
        int wanted = GO_ON;
        while (wanted == GO_ON) {
            wanted = step();
        }
        return wanted;
    }

    @Override
    public final Pollable channel() {
        UnixSocket unix = line;
        return unix == null ? socket : unix;
    }

    @Override
    public final Transport carrier() {
        Transport chosen = carrier;
        return chosen == null ? this : chosen;
    }

    // ---- steps of both --------------------------------------------------------------------------------------------

    /** Stays on TCP, because of {@code obstacle}, which the connection tells and a retry does not overcome. */
    final int stayOnTcp(String obstacle) throws IOException {
        return stayOnTcp(Reason.NEGOTIATION, obstacle);
    }

    /** Stays on TCP, because of {@code cause}, which the connection tells. */
    final int stayOnTcp(IOException cause) throws IOException {
        return stayOnTcp(SetupFailure.ofSharing(cause), SocketErrors.message(cause));
    }

    /**
     * Stays on TCP, because of {@code obstacle}, which the connection tells.
     *
     * @param reason what it is where shared memory is required, see {@link SetupFailure#noSharedMemory}
     */
    final int stayOnTcp(Reason reason, String obstacle) throws IOException {
        return stayOnTcp(reason, obstacle, clause(obstacle));
    }

    /** Returns the clause of {@link #text} that says why no memory is shared. */
    static String clause(String reason) {
        return ", no shared memory (" + reason + ")";
    }

    /** Stays on TCP, because of {@code obstacle}, which nobody is told who does not require shared memory. */
    final int stayOnTcpSilently(String obstacle) throws IOException {
        return stayOnTcp(Reason.NEGOTIATION, obstacle, "");
    }

    private int stayOnTcp(Reason reason, String obstacle, String clause) throws IOException {
        giveUp();
        if (wish.isRequired()) {
            throw SetupFailure.noSharedMemory(reason, "no shared memory, which shm=require demands: " + obstacle);
        }
        carrier = overTcp(sockets + clause);
        return OPEN;
    }

    /** Returns what carries bytes by TCP. */
    Transport overTcp(String text) {
        return new TcpTransport(socket, text);
    }

    /** Stays on TCP, since the peer is not in this network namespace, and perhaps not on this host. */
    final int stayElsewhere() throws IOException {
        if (wish.isRequired() || OutwardLink.has(socket.localAddress().getAddress())) {
            return stayOnTcp("the peer's address is not in this network namespace; if it is another container of this"
                    + " host, set the same shm.dir on both sides");
        }
        return stayOnTcpSilently("the peer is on another host or in another namespace");
    }

    /**
     * Returns the place that an Offer calls {@code nameSpace}, null if there is none.
     *
     * @throws IOException if it cannot be used
     */
    final @Nullable MeetingPlace place(int nameSpace) throws IOException {
        Path directory = wish.directory();
        if (nameSpace == ShmOffer.ABSTRACT) {
            return isPeerHere() ? new NetworkNamespace() : null;
        }
        return nameSpace == ShmOffer.DIRECTORY && directory != null
                ? DirectoryPlace.open(directory, wish.anyUser())
                : null;
    }

    /** Takes a place among those who share memory; false if there is none. */
    final boolean takePlace() {
        hasPlace = hasPlace || quota.take();
        return hasPlace;
    }

    /** Returns in words that there is no place. */
    final String full() {
        return quota.full();
    }

    /**
     * Has the Unix connection, whose other end is known, be what the set-up goes on at.
     *
     * @param token that of the Offer
     * @param listener where this side has connected to, null for the responder
     */
    final void meetAt(UnixSocket unix, Octets token, @Nullable InetSocketAddress listener) throws IOException {
        line = unix;
        unix.takeFiles();
        owner = new Owner(token, listener, wish, System.nanoTime());
    }

    /** Returns the Unix connection. */
    final UnixSocket line() {
        UnixSocket unix = line;
        if (unix == null) {
            throw new IllegalStateException("no Unix connection yet");
        }
        return unix;
    }

    /** Returns why the peer at the Unix connection is not taken; empty if it is. */
    final String strangerAt(UnixSocket unix) throws IOException {
        PeerUser other = unix.peerUser();
        user = other;
        sameUser = other.isSameUser();
        return wish.anyUser() || sameUser ? "" : "the peer is " + other;
    }

    /** Expects a message of {@code bytes}. */
    final void expect(int bytes) {
        message = ByteBuffer.allocate(bytes);
    }

    /** Returns the message that was expected, as far as it is here. */
    final ByteBuffer message() {
        return message;
    }

    /** Receives more of the message over TCP; negative at the end. */
    final int receiveOverTcp() throws IOException {
        return socket.read(message);
    }

    /** Sends {@code octets} over TCP, where nothing was sent so far and so is room. */
    final void sendOverTcp(ByteBuffer octets) throws IOException {
        socket.write(octets);
        if (octets.hasRemaining()) {
            throw new IOException("TCP has no room for the first bytes");
        }
    }

    /** Makes this side's file, in which it asks the peer for what is to let that into its memory. */
    final void makeFile() throws IOException {
        SealedFile made = SharedRings.make(wish.ringBytes());
        own = made;
        if (domains.obstacle().isEmpty() && sameUser) {
            proof = AccessProof.ask(made.memory(), random);
        }
    }

    /** Sends this side's file, with its size. */
    final void sendFile() throws IOException {
        SealedFile file = ownFile();
        ByteBuffer size = ByteBuffer.allocate(SIZE_BYTES)
                .putLong(file.memory().byteSize())
                .flip();
        if (line().send(size, file) != SIZE_BYTES) {
            throw new IOException("the Unix connection has no room for a file");
        }
        file.closeDescriptor();
    }

    /** Returns this side's file, which was made. */
    final SealedFile ownFile() {
        SealedFile file = own;
        if (file == null) {
            throw new IllegalStateException("no file of this side");
        }
        return file;
    }

    /** Expects the peer's file. */
    final void expectFile() {
        expect(SIZE_BYTES);
    }

    /** Receives more of the peer's file; tells whether it is here. */
    final boolean receiveFile() throws IOException {
        FileMessage some = line().receiveWithFile(message);
        ReceivedFile file = some.file();
        if (file != null) {
            ReceivedFile before = received;
            received = file;
            if (before != null) {
                before.close();
                throw new IOException("the peer sends more than one file");
            }
        }
        if (some.octets() < 0) {
            throw new SetupFailure(Reason.RESET, "the peer ended the set-up of shared memory");
        }
        if (!message.hasRemaining() && received == null) {
            throw new IOException("the peer sends a size without a file");
        }
        return !message.hasRemaining();
    }

    /** Makes the rings over this side's file and the peer's, which is here. */
    final void makeRings() throws IOException {
        ReceivedFile peers = received;
        if (peers == null) {
            throw new IllegalStateException("no file of the peer");
        }
        // It is closed by what it is given to, also if that fails.
        received = null;
        SharedRings both = SharedRings.over(ownFile(), peers, message.getLong(0));
        rings = both;
        if (proof != null) {
            AccessProof.answer(
                    ownFile().memory(),
                    both.peer().memory(),
                    Objects.requireNonNull(user).process());
        }
    }

    /** Goes on by rings. */
    final int goOnByRings() {
        SharedRings both = rings;
        if (both == null) {
            throw new IllegalStateException("no rings");
        }
        String why = obstacleToDirect(both);
        if (why.isEmpty()) {
            carrier = reaching(both, line(), declined(), Objects.requireNonNull(owner));
            line = null;
        } else {
            closeLine();
            boolean said = wish.isDirectWanted();
            carrier = new RingTransport(socket, sockets, both, quota, null, said ? why : "");
        }
        rings = null;
        own = null;
        hasPlace = false;
        return OPEN;
    }

    private Transport reaching(SharedRings both, UnixSocket unix, String declined, Owner whose) {
        DirectLink direct = new DirectLink(domains, both.rings().reach(), both.peer(), unix, quota::giveBack);
        RingTransport reaching = new RingTransport(socket, sockets, both, quota, direct, declined);
        reaching.keepFor(kept, whose);
        return reaching;
    }

    /** Takes over what was {@code kept}, null for nothing, and tells whether it is something. */
    final boolean takeOver(@Nullable Kept found) {
        again = found;
        if (found == null) {
            return false;
        }
        rings = found.memory.again();
        return true;
    }

    /** Returns the name of what was taken over, null if nothing was. */
    final @Nullable Octets takenOver() {
        Kept found = again;
        return found == null ? null : found.owner.id();
    }

    /** Closes what was taken over. */
    final void closeTakenOver() {
        Kept found = again;
        if (found != null) {
            found.close();
            again = null;
            rings = null;
        }
    }

    /** Tells the peer, in memory that nobody else writes, that this side goes on by the rings that were taken over. */
    final void publishTaken(Octets token) {
        takenRings().publishTaken(token);
    }

    /** Tells whether the peer has said that of the Offer with {@code token}. */
    final boolean isTakenByPeer(Octets token) {
        return takenRings().isTakenByPeer(token);
    }

    private SharedRings takenRings() {
        SharedRings both = rings;
        if (both == null) {
            throw new IllegalStateException("no rings of before");
        }
        return both;
    }

    /** Goes on by the rings that were taken over. */
    final int goOnAgain() {
        Kept found = again;
        if (found == null) {
            throw new IllegalStateException("nothing of before");
        }
        carrier = reaching(takenRings(), found.line, "the peer does not offer it", found.owner);
        again = null;
        rings = null;
        hasPlace = false;
        return OPEN;
    }

    /** Returns why neither side may reach the other's memory, empty if this one sees no reason. */
    private String obstacleToDirect(SharedRings both) {
        AccessProof asked = proof;
        proof = null;
        try (asked) {
            PeerUser other = Objects.requireNonNull(user);
            if (asked == null || !sameUser) {
                String obstacle = domains.obstacle();
                return obstacle.isEmpty() ? "the peer is " + other : obstacle;
            }
            return wish.direct() == Direct.ON ? "" : asked.missing(both.peer().memory(), other.process());
        }
    }

    /** Returns why the peer may have declined that either side reaches the other's memory. */
    private String declined() {
        String refused = AccessProof.refused(ownFile().memory());
        return refused.isEmpty() ? "the peer does not offer it" : refused;
    }

    /** Closes what the set-up goes on at beside TCP; can be repeated. */
    void closeLine() {
        UnixSocket unix = line;
        if (unix != null) {
            unix.close();
            line = null;
        }
    }

    /** Closes all but TCP, each though another cannot be closed; can be repeated, and then closes what is left. */
    private void giveUp() {
        AccessProof asked = proof;
        if (asked != null) {
            asked.close();
            proof = null;
        }
        try {
            closeLine();
        } finally {
            closeFiles();
        }
        // Behind them: until then the place is taken.
        if (hasPlace) {
            quota.giveBack();
            hasPlace = false;
        }
    }

    private void closeFiles() {
        try {
            closeTakenOver();
            closeReceived();
        } finally {
            try {
                closeRings();
            } finally {
                closeOwn();
            }
        }
    }

    private void closeReceived() {
        ReceivedFile open = received;
        if (open != null) {
            open.close();
            received = null;
        }
    }

    private void closeRings() {
        SharedRings open = rings;
        if (open != null) {
            open.close();
            rings = null;
        }
    }

    private void closeOwn() {
        SealedFile open = own;
        if (open != null) {
            open.close();
            own = null;
        }
    }

    @Override
    public final void close(boolean reset) {
        try {
            giveUp();
        } finally {
            closeChannel(reset);
        }
    }

    private void closeChannel(boolean reset) {
        Transport chosen = carrier;
        if (chosen == null) {
            super.close(reset);
        } else {
            // Who was to take it over has not.
            chosen.close(reset);
        }
    }
}
