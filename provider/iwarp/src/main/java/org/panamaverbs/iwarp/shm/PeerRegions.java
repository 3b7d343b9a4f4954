package org.panamaverbs.iwarp.shm;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.core.PeerMemory;
import org.panamaverbs.iwarp.net.unix.FileMessage;
import org.panamaverbs.iwarp.net.unix.LostFileException;
import org.panamaverbs.iwarp.net.unix.ReceivedFile;
import org.panamaverbs.iwarp.net.unix.SealedFile;
import org.panamaverbs.iwarp.net.unix.UnixSocket;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.TaggedOffset;
import org.panamaverbs.spi.support.DeferredLog;

/**
 * Registrations of the peer that this side reaches: the peer's table says where they lie, and the peer sends the slabs
 * that it is asked for. An access is checked as the peer checks those of messages. What the table says is believed as
 * far as it lies in what is mapped here; a peer that lies is told wrong bytes of its own memory. Belongs to the holder
 * of the stream's lock.
 */
final class PeerRegions implements PeerMemory, AutoCloseable {
    /** A slab of the peer: its number, its file with the memory of that, and whether it can be written. */
    private static final class Slab {
        private final long number;
        private final SealedFile file;
        private final MemorySegment memory;
        private final boolean writable;

        // What is mapped when there is no memory for this object would stay mapped: so the object is first.
        Slab(Grant grant, ReceivedFile from) throws IOException {
            number = grant.slab();
            file = from.mapSlab(grant.bytes(), grant.writable());
            memory = file.memory();
            writable = grant.writable();
        }
    }

    // A thread that polls and always has completions does not come to look at the transport.
    private static final int ACCESSES_A_LOOK = 4096;
    // Parts of them, too: a peer that keeps to the rules sends each as a whole.
    private static final int MESSAGES_A_LOOK = 8;
    private static final int LOOKS = 32;
    private static final int MOST_LOSSES = 64;
    private static final int LONGEST_PAUSE_SHIFT = 16;

    private final UnixSocket line;
    private final ReachWords words;
    private final @Nullable Slab[] slabs = new Slab[TableLayout.SLABS];
    private final ByteBuffer message = ByteBuffer.allocate(Grant.BYTES);
    private @Nullable SealedFile tableFile;
    private @Nullable PeerTable table;
    // What came with the bytes of the message so far.
    private @Nullable ReceivedFile received;
    // The changes of the table that were followed, and the slab that was asked for last.
    private long changes;
    private long asked;
    // So many files the peer may still send: one for each time that it was asked for the table or a slab.
    private int owed;
    // So often what the peer sent was lost for want of a descriptor.
    private int losses;
    // So many accesses go by before it is asked for anew: a process that has no descriptors has none for a while. The
    // first one asks for the table.
    private int pause = 1;
    // So often it is still looked for what the peer owes, beside the accesses: it may have nothing to send.
    private int looks = LOOKS;
    private int accesses;
    // Nothing is reached any more, or ever was.
    private boolean off;
    // The entry that was found last, as far as it lies in what is mapped here: its name, 0 for none; where it is in the
    // table; what it grants and what can be done here; the first tagged offset, the bytes from there on that can be
    // reached, and where they begin in the memory of its slab.
    private long name;
    private int index;
    private int rights;
    private long base;
    private long length;
    private long first;
    private MemorySegment segment = MemorySegment.NULL;
    // Where in that memory the access begins that is entered.
    private long offset;

    /** Creates the regions of the peer at the other end of {@code line}, which sends what they are made of. */
    PeerRegions(UnixSocket line, ReachWords words) {
        this.line = line;
        this.words = words;
    }

    // ---- accesses -------------------------------------------------------------------------------------------------

    @Override
    public boolean isCaughtUp() {
        if (++accesses >= ACCESSES_A_LOOK) {
            accesses = 0;
            // What its owner has left is changed for nobody: messages find out what there is to say.
            off = off || line.isPeerGone();
            lookAround();
        }
        return !off && words.isAllPlaced();
    }

    @Override
    public boolean enter(int stag, long taggedOffset, long bytes, Access right) {
        if ((stag != (int) name || name == 0) && !find(stag)) {
            return false;
        }
        long skipped = taggedOffset - base;
        offset = first + skipped;
        // RFC 7306 §5.1: an Atomic must be aligned; slabs are mapped at pages.
        boolean aligned = right != Access.REMOTE_ATOMIC || (offset & Long.BYTES - 1) == 0;
        if (right.in(rights) && skipped >= 0 && bytes <= length - skipped && aligned) {
            words.claim(name);
            if (isAllowed(right)) {
                return true;
            }
            words.release();
        }
        // The entry may be one of before, where memory is registered anew under its STag or its slab is gone.
        name = 0;
        return false;
    }

    /** Tells, behind the fence of a claim, whether the peer lets this side in and the entry is still what it was. */
    private boolean isAllowed(Access right) {
        long admission = words.admission();
        PeerTable known = table;
        int admitted = RingLayout.admits(admission);
        return admitted != 0
                && right.in(RingLayout.rights(admission))
                && known != null
                && known.isFor(admitted)
                && known.isStill(index);
    }

    /** Finds the entry of {@code stag}, which is what is found from now on; false if there is none to be reached. */
    private boolean find(int stag) {
        name = 0;
        if (table == null) {
            askForTable();
            if (owed > 0) {
                follow();
            }
        }
        PeerTable found = table;
        int at = found == null ? PeerTable.NONE : found.find(stag);
        // A number is no other slab's: what is mapped under it is what the entry means.
        Slab slab = found == null || at == PeerTable.NONE ? null : slab(found.place(), found.slab());
        if (found == null || slab == null) {
            return false;
        }
        long size = slab.memory.byteSize();
        boolean sound = found.length() >= 0 && !TaggedOffset.wraps(found.base(), found.length());
        if (!sound || found.offset() < 0 || found.offset() > size) {
            return false;
        }
        index = at;
        rights = slab.writable ? found.rights() : found.rights() & Access.REMOTE_READ.bit();
        base = found.base();
        length = Math.min(found.length(), size - found.offset());
        first = found.offset();
        segment = slab.memory;
        name = found.name();
        return true;
    }

    @Override
    public MemorySegment segment() {
        return segment;
    }

    @Override
    public long offset() {
        return offset;
    }

    @Override
    public void leave() {
        words.release();
    }

    // ---- what it is made of ---------------------------------------------------------------------------------------

    /** Returns the slab with {@code number} at {@code place}; null if it is not here, and then it is asked for. */
    private @Nullable Slab slab(int place, long number) {
        Slab slab = slabs[place];
        if (slab != null && slab.number == number) {
            return slab;
        }
        if (asked == number) {
            lookAround(); // it may never come
            slab = slabs[place];
            return !off && slab != null && slab.number == number ? slab : null;
        }
        if (pause > 0) {
            pause--;
            return null;
        }
        asked = number;
        owed++;
        looks = LOOKS;
        // Numbers of slabs only grow, and losses: none is asked for twice in a row by the same word.
        words.want(TableLayout.want(number, place, losses));
        return null;
    }

    /**
     * Takes what the peer has sent, and lets go of what it has taken out of its table; nothing is reached if it fails.
     */
    private void follow() {
        if (off) {
            return;
        }
        boolean followed = false;
        Throwable failure = null;
        try {
            receive();
            letGo();
            followed = true;
        } catch (LostFileException e) {
            followed = askAgain();
            failure = e;
        } catch (IOException | OutOfMemoryError e) {
            // What the peer has sent is not what it should be, or there is no memory: messages always go.
            failure = e;
        } finally {
            if (!followed) {
                off = true;
                table = null;
                name = 0;
                tell(failure);
            }
        }
    }

    /** Says in the log why nothing is reached any more; nothing where {@code failure} is null. */
    static void tell(@Nullable Throwable failure) {
        if (failure != null) {
            DeferredLog.log(
                    PeerRegions.class,
                    System.Logger.Level.DEBUG,
                    "a connection on this host continues without direct access",
                    failure);
        }
    }

    /** Has the peer send anew what was lost with the table or a slab; false if that happens too often. */
    private boolean askAgain() {
        owed--;
        message.clear();
        if (++losses > MOST_LOSSES) {
            return false;
        }
        asked = 0;
        pause = 1 << Math.min(losses, LONGEST_PAUSE_SHIFT);
        return true;
    }

    /** Has the peer send the table, and anew if it was lost, after a pause. */
    private void askForTable() {
        if (!off && pause > 0 && --pause == 0) {
            owed++;
            looks = LOOKS;
            words.want(TableLayout.wantTable(losses));
        }
    }

    // A peer that sends on and on waits for its turn: what is left is taken by the next look.
    private void receive() throws IOException {
        for (int i = 0; i < MESSAGES_A_LOOK; i++) {
            FileMessage some = line.receiveWithFile(message);
            ReceivedFile file = some.file();
            if (file != null) {
                ReceivedFile before = received;
                received = file;
                if (before != null) {
                    before.close();
                    throw new IOException("the peer sends more files than it names");
                }
            }
            if (some.octets() == UnixSocket.END) {
                // The peer lets nobody in, or ends.
                off |= table == null;
                return;
            }
            if (some.octets() == 0) {
                return;
            }
            if (!message.hasRemaining()) {
                message.clear();
                take(Grant.parse(message));
            }
        }
    }

    private void take(Grant grant) throws IOException {
        ReceivedFile file = received;
        received = null;
        if (file == null) {
            throw new IOException("the peer names a file that it does not send");
        }
        if (--owed < 0) {
            file.close();
            throw new IOException("the peer sends " + grant + ", which was not requested");
        }
        boolean known = grant.place() >= 0 && grant.place() < slabs.length;
        if (grant.place() == Grant.TABLE && tableFile == null && grant.bytes() == TableLayout.BYTES) {
            tableFile = file.map(grant.bytes());
            table = new PeerTable(tableFile.memory());
        } else if (known && grant.bytes() > 0) {
            letGo(grant.place());
            slabs[grant.place()] = new Slab(grant, file);
        } else {
            file.close();
            throw new IOException("the peer sends " + grant);
        }
    }

    /** Lets go of slabs that the peer has taken out of its table. */
    private void letGo() {
        PeerTable known = table;
        long now = known == null ? 0 : known.changes();
        if (known == null || now == changes) {
            return;
        }
        for (int place = 0; place < slabs.length; place++) {
            Slab slab = slabs[place];
            if (slab != null && slab.number != known.slabAt(place)) {
                letGo(place);
            }
        }
        changes = now;
    }

    private void letGo(int place) {
        Slab old = slabs[place];
        if (old != null) {
            // What was found may lie there.
            name = 0;
            old.file.close();
            slabs[place] = null;
        }
    }

    /**
     * Takes what the peer has sent, so that no descriptor waits on its way, and lets go of what it has taken out of its
     * table meanwhile: called when the connection begins, and now and then.
     */
    void lookAround() {
        PeerTable known = table;
        if (owed > 0 && looks > 0) {
            looks--;
            follow();
        } else if (known != null && known.changes() != changes) {
            follow();
        }
    }

    /** The peer may have sent what it owes: there is another look. */
    void rung() {
        looks = Math.max(looks, 1);
    }

    /** Nothing is reached or asked for any more. */
    void end() {
        off = true;
        table = null;
        name = 0;
    }

    /** Unmaps slabs and table; can be repeated, and goes on then with what could not be unmapped. */
    @Override
    public void close() {
        end();
        try {
            for (int place = 0; place < slabs.length; place++) {
                letGo(place);
            }
        } finally {
            closeTable();
        }
    }

    private void closeTable() {
        try {
            ReceivedFile came = received;
            if (came != null) {
                came.close();
                received = null;
            }
        } finally {
            SealedFile open = tableFile;
            if (open != null) {
                open.close();
                tableFile = null;
            }
        }
    }
}
