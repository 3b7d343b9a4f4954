package org.panamaverbs.iwarp.engine.transport;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.SocketException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Carrier;
import org.panamaverbs.api.cm.TerminateReason;
import org.panamaverbs.iwarp.core.PeerMemory;
import org.panamaverbs.iwarp.core.SharedRing;
import org.panamaverbs.iwarp.iovec.IoVector;
import org.panamaverbs.iwarp.net.Bell;
import org.panamaverbs.iwarp.net.FutexWaiter;
import org.panamaverbs.iwarp.net.TcpSocket;
import org.panamaverbs.iwarp.net.Watch;
import org.panamaverbs.iwarp.net.unix.UnixSocket;
import org.panamaverbs.iwarp.shm.DirectLink;
import org.panamaverbs.iwarp.shm.RingPair;
import org.panamaverbs.iwarp.shm.RingResetException;

/**
 * Rings in memory that both peers of one host share. The TCP connection is the bell that wakes who sleeps, and its end
 * tells of the peer's death.
 */
final class RingTransport extends SocketTransport implements SharedRing {
    // The longest FPDU: nothing is cut for a network.
    private static final int SEGMENT_BYTES = 65_535;
    private static final int WASTE_BYTES = 4096;
    // A peer that goes on and on waits for its turn each time.
    private static final int READS_A_TIME = 16;
    // So many empty reads are about a millisecond of a thread that polls.
    private static final int READS_A_LOOK = 8192;

    private final Bell bell;
    private final SharedRings memory;
    private final RingPair rings;
    private final RingQuota quota;
    // What each side reaches of the other's memory; null if that is nothing.
    private final @Nullable DirectLink direct;
    // Why that is nothing, or why if the peer has it so.
    private final String indirect;
    private boolean blocked;
    // The bell is due and had no room: it is rung when the channel has.
    private boolean bellDue;
    // The peer's process has closed its end: what is in its ring is all there will be.
    private boolean gone;
    // What of a close is done once: saying that the bytes end, and giving the place back.
    private boolean closing;
    private boolean counted = true;
    // What keeps the rings behind the end, and for whom; null if nothing does.
    private @Nullable KeptRings keeper;
    private KeptRings.@Nullable Owner owner;
    // Then they may be another connection's: nothing of this one uses them.
    private boolean handedOn;
    private int emptyReads;
    // How many threads sleep until the peer changes its word.
    private int resting;

    /**
     * Makes a transport over {@code socket}, which nothing but rings is to go through; memory, a place of {@code quota}
     * and what {@code direct} has are its own from now on, and given back with it.
     *
     * @param indirect why {@code direct} is null, empty if it is not wanted; where it is not null, why the peer may
     *     have declined
     */
    RingTransport(
            TcpSocket socket,
            String sockets,
            SharedRings memory,
            RingQuota quota,
            @Nullable DirectLink direct,
            String indirect) {
        super(socket, sockets);
        this.indirect = indirect;
        bell = Bell.of(socket);
        this.memory = memory;
        this.quota = quota;
        this.direct = direct;
        rings = memory.rings();
        // Not when it is first needed: that is under a lock, and for the peer.
        FutexWaiter.prepare();
    }

    /** Has {@code keeper} have the rings behind the end, for {@code owner}. */
    void keepFor(KeptRings keeper, KeptRings.Owner owner) {
        this.keeper = keeper;
        this.owner = owner;
    }

    @Override
    public int open(Runnable again) {
        return OPEN;
    }

    @Override
    public boolean hasWire() {
        return false;
    }

    @Override
    public int segmentBytes() {
        return SEGMENT_BYTES;
    }

    @Override
    public void established() {
        rings.awake();
    }

    @Override
    public @Nullable PeerMemory reach(int domain, int number, int rights) {
        if (direct == null) {
            return null;
        }
        PeerMemory reached = direct.reach(domain, number, rights);
        if (reached != null && direct.serve()) {
            ringBell();
        }
        return reached;
    }

    @Override
    public long overdue() {
        return direct == null ? 0 : direct.overdue();
    }

    @Override
    public void dismiss() {
        if (direct != null) {
            direct.dismiss();
        }
    }

    // ---- waiting --------------------------------------------------------------------------------------------------

    @Override
    public int await(int wanted, boolean polled) {
        if (handedOn) {
            return wanted == 0 ? 0 : NOW;
        }
        boolean input = (wanted & Watch.READ) != 0;
        boolean room = (wanted & Watch.WRITE) != 0;
        if (direct != null) {
            direct.lookAround();
        }
        if (gone) {
            // The bell tells of that for ever.
            return wanted == 0 ? 0 : NOW;
        }
        int watched = bellDue ? Watch.READ | Watch.WRITE : Watch.READ;
        if ((input && !polled) || room) {
            return rings.sleep(input && !polled, room, resting != 0) ? watched : watched | NOW;
        }
        rings.awake();
        return watched;
    }

    @Override
    public Rest rest(int wanted, FutexWaiter at) {
        // Before the look: what comes behind that has changed the word.
        if (handedOn || !at.add(rings.inputWord(), rings.inputWordValue())) {
            return Rest.ELSEWHERE;
        }
        boolean rests = false;
        resting++;
        try {
            Rest rest = (await(wanted, false) & NOW) == 0 ? Rest.AT_WORD : Rest.BUSY;
            rests = true;
            return rest;
        } finally {
            resting -= rests ? 0 : 1;
        }
    }

    @Override
    public void awake() {
        resting--;
    }

    @Override
    public void ready() {
        try {
            gone |= !bell.drain();
        } catch (IOException e) {
            gone = true;
        }
        if (direct != null) {
            direct.rung();
        }
        if (bellDue) {
            ringBell();
        }
    }

    // ---- bytes ---------------------------------------------------------------------------------------------------

    @Override
    public long read(IoVector into) throws IOException {
        if (handedOn) {
            into.begin();
            throw reset();
        }
        long octets = rings.read(into);
        if (octets > 0) {
            tookInput();
            if (emptyReads >= READS_A_LOOK) {
                lookAround();
            }
        } else if (octets == 0) {
            lookForPeer();
        }
        return octets;
    }

    private void tookInput() {
        if (direct != null && direct.serve()) {
            ringBell();
        } else {
            ringIfAsleep();
        }
    }

    @Override
    public boolean isQuiet() throws IOException {
        if (!handedOn && rings.hasInput()) {
            return false;
        }
        lookForPeer();
        return true;
    }

    @Override
    public void received() {
        if (direct != null && !handedOn) {
            direct.placed();
        }
    }

    // Behind a read that found nothing: what a dead peer left is taken before anybody hears of its death.
    private void lookForPeer() throws IOException {
        if (gone && (handedOn || !rings.hasInput())) {
            throw reset();
        }
        if (++emptyReads >= READS_A_LOOK) {
            lookAround();
        }
    }

    private void lookAround() {
        emptyReads = 0;
        gone |= bell.isPeerGone();
        if (direct != null && !handedOn) {
            direct.lookAround();
        }
        if (bellDue) {
            ringBell();
        }
    }

    private static SocketException reset() {
        return new SocketException("Connection reset by peer");
    }

    @Override
    public void write(IoVector from) throws IOException {
        blocked = false;
        if (handedOn || (gone && !from.isEmpty() && !rings.hasInput())) {
            from.begin();
            throw reset();
        }
        rings.write(from);
        blocked = from.hasRemaining();
        ringIfAsleep();
    }

    @Override
    public boolean writesWithoutOctets() {
        return false;
    }

    // ---- the rings themselves -------------------------------------------------------------------------------------

    @Override
    public SharedRing ring() {
        return this;
    }

    @Override
    public MemorySegment output() {
        return rings.output();
    }

    @Override
    public int reserve(int octets) {
        return gone ? NONE : rings.reserve(octets);
    }

    @Override
    public boolean publish(int octets) {
        if (handedOn) {
            return true;
        }
        rings.put(octets);
        ringIfAsleep();
        return bellDue || gone;
    }

    @Override
    public MemorySegment input() {
        return rings.input();
    }

    @Override
    public int next() {
        return rings.next();
    }

    @Override
    public int look() {
        if (handedOn) {
            return NONE;
        }
        int octets = rings.look();
        // A read looks for the peer, if it is gone, and now and then, also where each look finds something.
        return (octets == 0 && gone) || ++emptyReads >= READS_A_LOOK ? NONE : octets;
    }

    @Override
    public void take(int octets) {
        if (!handedOn) {
            rings.take(octets);
            tookInput();
        }
    }

    private void ringIfAsleep() {
        if (rings.mustRing() && !(rings.ringsAtWord() && FutexWaiter.wake(rings.outputWord()))) {
            ringBell();
        }
    }

    private void ringBell() {
        try {
            bellDue = !bell.ring();
        } catch (IOException e) {
            bellDue = false;
            gone = true;
        }
    }

    @Override
    public boolean flush() {
        return true;
    }

    @Override
    public boolean isBlocked() {
        return blocked;
    }

    @Override
    public long unacknowledged() throws IOException {
        long left = handedOn ? 0 : rings.unread();
        if (left > 0) {
            gone |= bell.isPeerGone();
            // It may have taken them just before.
            left = gone ? rings.unread() : left;
            if (gone && left > 0) {
                throw reset();
            }
        }
        return left;
    }

    // ---- ending ---------------------------------------------------------------------------------------------------

    @Override
    public boolean shutdownOutput() {
        if (!handedOn) {
            rings.end();
            ringIfAsleep();
        }
        return true;
    }

    @Override
    public boolean discard() throws IOException {
        ByteBuffer waste = ByteBuffer.allocate(WASTE_BYTES);
        int octets = 1;
        for (int i = 0; i < READS_A_TIME && octets > 0; i++) {
            octets = read(waste.clear());
        }
        return octets < 0;
    }

    /**
     * Takes each step, though one before it fails: says that the bytes end, unmaps the rings, closes TCP. Called again,
     * closes what could not be closed; the place is given back when all is. What the peer is told is said once: if that
     * fails, the end of TCP tells it, as of a death.
     */
    @Override
    public void close(boolean reset) {
        try {
            tellEnd(reset);
        } finally {
            try {
                closeMemory();
            } finally {
                socket.close(reset);
            }
            giveBack();
        }
    }

    private void closeMemory() {
        handedOn = handedOn || handOn();
        if (handedOn) {
            // Nothing is put there any more, whoever tries.
            gone = true;
            return;
        }
        try {
            if (direct != null) {
                direct.close();
            }
        } finally {
            if (direct != null && direct.keepsFile()) {
                // With the file the domain has the place.
                counted = false;
                memory.closeOwn();
            } else {
                memory.close();
            }
        }
    }

    /** Leaves the rings to the next connection, if that is of use: not those of a peer that has died. */
    private boolean handOn() {
        KeptRings to = keeper;
        KeptRings.Owner whose = owner;
        if (to == null || whose == null || direct == null || (gone && !rings.isEndedByPeer())) {
            return false;
        }
        // Once: behind it something may be closed.
        keeper = null;
        UnixSocket line = direct.closeButLine();
        return line != null && to.keep(whose, memory, line);
    }

    private void tellEnd(boolean reset) {
        if (closing) {
            return;
        }
        // Before: behind the first close the rings may be unmapped.
        closing = true;
        if (reset) {
            rings.reset();
        } else {
            rings.end();
        }
        // No bell: TCP ends behind it, which wakes the peer as well.
    }

    private void giveBack() {
        if (counted) {
            quota.giveBack();
            counted = false;
        }
    }

    @Override
    public TerminateReason lost(IOException failure) {
        return failure instanceof RingResetException ? TerminateReason.PEER_RESET : super.lost(failure);
    }

    // ---- what is said of it ---------------------------------------------------------------------------------------

    @Override
    public @Nullable SSLSession session() {
        return null;
    }

    @Override
    public Carrier kind() {
        return Carrier.SHARED_MEMORY;
    }

    @Override
    public String text() {
        String why = direct == null || direct.isDeclined() ? indirect : "";
        return ", " + kind().text() + " (rings of " + memory.ownBytes() + " and " + memory.peerBytes() + " bytes)"
                + (why.isEmpty() ? "" : ", no direct access (" + why + ")");
    }
}
