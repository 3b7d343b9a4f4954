package org.panamaverbs.iwarp.core;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.shm.DirectDomain;
import org.panamaverbs.iwarp.shm.TwoLinks;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.MemorySlab;
import org.panamaverbs.memory.MemorySlab.Sharing;

/**
 * Memory of one side as the other one reaches it by itself: the provider's own tables, claims and mappings, between two
 * streams whose octets go through pipes.
 */
final class SimDirect implements PeerMemory, AutoCloseable {
    private static final int BYTES = 1 << 17;
    private static final int ALIGNMENT = 64;

    private final Side from;
    private final Side to;
    private final TwoLinks links;
    private final PeerMemory reached;
    private final MemorySlab written = MemorySlab.shared("panama-verbs simulation", BYTES);
    private final MemorySlab read = MemorySlab.sharedToRead("panama-verbs simulation", BYTES);
    private long writtenBytes;
    private long readBytes;

    /** Has {@code from} reach memory of {@code to}, which is made here. */
    SimDirect(Side from, Side to) {
        this.from = from;
        this.to = to;
        try {
            links = new TwoLinks(to.stags, to.qpNumber);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        reached = links.reach();
        from.reach(this);
        to.lend(this);
    }

    // ---- whose memory it is ---------------------------------------------------------------------------------------

    /** Returns {@code bytes} to be registered with the rights {@code access}. */
    MemorySegment allocate(long bytes, int access) {
        long rounded = (bytes + ALIGNMENT - 1) & -ALIGNMENT;
        if (DirectDomain.sharing(access) == Sharing.READ) {
            readBytes += rounded;
            return read.segment().asSlice(readBytes - rounded, bytes);
        }
        writtenBytes += rounded;
        return written.segment().asSlice(writtenBytes - rounded, bytes);
    }

    /** It is registered. */
    void enable(Region region, MemorySegment segment, int access) {
        links.domain.enable(region, segment, access);
    }

    /** A window was made. */
    void reserve(Region window) {
        links.domain.reserve(window);
    }

    // ---- who reaches it -------------------------------------------------------------------------------------------

    @Override
    public boolean isCaughtUp() {
        if (to.stream.state() != StreamState.ESTABLISHED) {
            links.owner.dismiss();
        }
        return from.out.readOctets() == from.out.writtenOctets() && reached.isCaughtUp();
    }

    @Override
    public boolean enter(int stag, long taggedOffset, long length, Access right) {
        boolean entered = reached.enter(stag, taggedOffset, length, right);
        if (!entered) {
            // The message that goes in its place wakes the owner, who sends what this side has asked for.
            links.owner.serve();
        }
        return entered;
    }

    @Override
    public MemorySegment segment() {
        return reached.segment();
    }

    @Override
    public long offset() {
        return reached.offset();
    }

    @Override
    public void leave() {
        reached.leave();
    }

    @Override
    public void close() {
        links.close();
        written.close();
        read.close();
    }
}
