package org.panamaverbs.iwarp.core.memory;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.wire.TerminateCode;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.TaggedOffset;
import org.panamaverbs.memory.access.FaultSafeMemory;

/**
 * Checks one access of a stream to memory and holds the region while it lasts: {@link #enter}, copy or one system call,
 * {@link #leave} (RFC 5040 §7.2, §8.1.1; RFC 5041 §7.1, §8.2). Not thread-safe; one access at a time.
 */
public final class Protection {
    /** No right is needed: local memory that is only read. */
    public static final @Nullable Access ANY = null;

    /** What a peer can be let do. */
    public static final int REMOTE = Access.mask(Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);

    private final StagTable stags;
    private final int domainId;
    private final int qpNumber;
    // Each right that is refused here whatever the region grants.
    private final int refused;
    private @Nullable Region region;
    // The registration that the memory of what is entered belongs to; counts while something is.
    private @Nullable Region memory;
    // What was entered last: the next access is often to the same. It may have been removed meanwhile.
    private @Nullable Region last;
    private long offset;
    private final Announcement announcement = new Announcement();
    // The registration that is entered by an announcement, one of this stream's domain; null for none.
    private @Nullable Region admitted;
    // What is entered is announced, and not pinned.
    private boolean announced;

    /**
     * Creates the check of one stream.
     *
     * @param peerRights what its peer may do, mask of {@link Access#bit}
     */
    public Protection(StagTable stags, int domainId, int qpNumber, int peerRights) {
        this.stags = stags;
        this.domainId = domainId;
        this.qpNumber = qpNumber;
        refused = REMOTE & ~peerRights;
    }

    /** Checks an access to {@code length} octets, from 1, and if it is allowed pins the region until {@link #leave}. */
    public AccessCheck enter(int stag, long taggedOffset, long length, @Nullable Access right) {
        Region found = last;
        if (found == null || found.stag() != stag || !found.pin(stag)) {
            found = stags.find(stag);
            if (found == null || !found.pin(stag)) {
                return AccessCheck.INVALID_STAG;
            }
            last = found;
        }
        region = found;
        Region owner = found.memory();
        memory = owner;
        AccessCheck check = check(found, owner, taggedOffset, length, right);
        if (check != AccessCheck.OK) {
            leave();
            return check;
        }
        offset = found.segmentOffset(taggedOffset);
        return AccessCheck.OK;
    }

    /**
     * Checks an access as {@link #enter} does, for who has a full fence behind it and then asks {@link #isStillOpen}:
     * where the access before was to the same registration it is announced, which takes no fence of its own.
     */
    public AccessCheck announce(int stag, long taggedOffset, long length, @Nullable Access right) {
        Region known = admitted;
        if (known == null || known.stag() != stag) {
            return enterToAnnounce(stag, taggedOffset, length, right);
        }
        AccessCheck check = check(known, taggedOffset, length, right);
        if (check == AccessCheck.OK) {
            region = known;
            memory = known;
            announced = true;
            offset = known.segmentOffset(taggedOffset);
            announcement.enter(known);
        } else {
            admitted = null;
        }
        return check;
    }

    private AccessCheck enterToAnnounce(int stag, long taggedOffset, long length, @Nullable Access right) {
        AccessCheck check = enter(stag, taggedOffset, length, right);
        Region found = region;
        if (check == AccessCheck.OK && found != null && found.admit(announcement)) {
            admitted = found;
        }
        return check;
    }

    /** Tells, behind a full fence, whether what was {@linkplain #announce announced} is entered. */
    public boolean isStillOpen() {
        if (!announced || entered(region).isEnabled()) {
            return true;
        }
        // It was deregistered: its STag may be another's by now.
        admitted = null;
        return false;
    }

    /** Has the places of the stream, which is over, be others'. */
    public void end() {
        admitted = null;
        announcement.end();
    }

    /**
     * Checks an access, one of several behind each other, and enters its region in place of that of the access before;
     * where that is the same it stays pinned. {@link #leave} ends the last one.
     *
     * @return whether the access is allowed; if not, a region may be entered all the same
     */
    public boolean enterNext(int stag, long taggedOffset, long length, @Nullable Access right) {
        Region entered = region;
        Region owner = memory;
        if (entered == null || owner == null || entered.stag() != stag) {
            leave();
            return enter(stag, taggedOffset, length, right) == AccessCheck.OK;
        }
        offset = entered.segmentOffset(taggedOffset);
        return check(entered, owner, taggedOffset, length, right) == AccessCheck.OK;
    }

    /** Checks an access without entering the region. */
    public AccessCheck probe(int stag, long taggedOffset, long length, @Nullable Access right) {
        AccessCheck check = enter(stag, taggedOffset, length, right);
        if (check == AccessCheck.OK) {
            leave();
        }
        return check;
    }

    /** Returns why an access failed that was entered and left: where it is still allowed, its memory has failed. */
    public AccessCheck failure(int stag, long taggedOffset, long length, @Nullable Access right) {
        AccessCheck check = probe(stag, taggedOffset, length, right);
        return check == AccessCheck.OK ? AccessCheck.FAULT : check;
    }

    private AccessCheck check(Region found, Region owner, long taggedOffset, long length, @Nullable Access right) {
        if (!found.associated(domainId, qpNumber)) {
            return AccessCheck.NOT_ASSOCIATED;
        }
        // The owner closed the memory under the registration.
        if (owner.mayClose && !owner.segment.scope().isAlive()) {
            return AccessCheck.INVALID_STAG;
        }
        return check(found, taggedOffset, length, right);
    }

    private AccessCheck check(Region found, long taggedOffset, long length, @Nullable Access right) {
        if (right != null && (!found.allows(right) || right.in(refused))) {
            return AccessCheck.RIGHTS;
        }
        if (TaggedOffset.wraps(taggedOffset, length)) {
            return AccessCheck.WRAP;
        }
        return TaggedOffset.within(taggedOffset, length, found.base(), found.length())
                ? AccessCheck.OK
                : AccessCheck.BOUNDS;
    }

    /** Lets the region go, if one is entered. */
    public void leave() {
        Region entered = region;
        if (entered != null) {
            if (announced) {
                announced = false;
                announcement.leave();
            } else {
                entered.unpin();
            }
            region = null;
            memory = null;
        }
    }

    /** Takes all access to {@code window} away, for a bind; false if it is bound on another queue pair. */
    public boolean revoke(Region window) {
        if (!window.hold()) {
            return true;
        }
        try {
            return window.yieldTo(qpNumber);
        } finally {
            window.leave();
        }
    }

    /** Takes all access away under {@code stag} if it is that of a window bound on this queue pair alone. */
    public boolean invalidate(int stag) {
        Region window = stags.find(stag);
        if (window == null || !window.hold()) {
            return false;
        }
        try {
            return window.invalidate(stag, domainId, qpNumber);
        } finally {
            window.leave();
        }
    }

    private static Region entered(@Nullable Region entered) {
        if (entered == null) {
            throw new IllegalStateException("no region is entered");
        }
        return entered;
    }

    /** Returns the memory of the region that is entered. */
    public MemorySegment segment() {
        return entered(memory).segment;
    }

    /** Returns the region that is entered. */
    public Region region() {
        return entered(region);
    }

    /** Tells whether another process may take the memory away, so that it is accessed only by copies. */
    public boolean mayVanish() {
        return entered(memory).mayVanish;
    }

    /** Tells whether the memory stays as long as it is entered, whatever its owner or another process does. */
    public boolean isLasting() {
        Region entered = entered(memory);
        return !entered.mayVanish && !entered.mayClose;
    }

    /** Copies {@code length} octets from {@code skipped} of the access on; false if the memory is gone. */
    public boolean copyOut(long skipped, MemorySegment to, long toOffset, long length) {
        Region from = entered(memory);
        return FaultSafeMemory.copy(from.mayVanish, from.segment, offset + skipped, to, toOffset, length);
    }

    /** Copies {@code length} octets to where the access begins; false if the memory is gone. */
    public boolean copyIn(MemorySegment from, long fromOffset, long length) {
        Region to = entered(memory);
        return FaultSafeMemory.copy(to.mayVanish, from, fromOffset, to.segment, offset, length);
    }

    /**
     * Stores {@code value} where the access begins, in the order of this machine, and ends the access; false as above.
     */
    public boolean storeAndLeave(long value) {
        Region to = entered(memory);
        try {
            return FaultSafeMemory.store(to.mayVanish, to.segment, offset, value);
        } finally {
            leave();
        }
    }

    /** Returns where in {@link #segment()} the access begins. */
    public long offset() {
        return offset;
    }

    /**
     * Returns the code for a refused tagged placement. RFC 5041 §8.2; a missing right has no code there: the STag is
     * not valid for it.
     */
    public static TerminateCode taggedCode(AccessCheck check) {
        return switch (check) {
            case NOT_ASSOCIATED -> TerminateCode.TAGGED_NOT_ASSOCIATED;
            case BOUNDS -> TerminateCode.TAGGED_BOUNDS;
            case WRAP -> TerminateCode.TAGGED_TO_WRAP;
            // DDP has no code for it: the access is right.
            case FAULT -> TerminateCode.PROTECTION_UNSPECIFIED;
            case INVALID_STAG, RIGHTS, OK -> TerminateCode.TAGGED_INVALID_STAG;
        };
    }

    /** Returns the code for a refused Read or Atomic Request. RFC 5040 §4.8, figure 9. */
    public static TerminateCode remoteCode(AccessCheck check) {
        return switch (check) {
            case NOT_ASSOCIATED -> TerminateCode.STAG_NOT_ASSOCIATED;
            case RIGHTS -> TerminateCode.ACCESS_RIGHTS;
            case BOUNDS -> TerminateCode.BOUNDS;
            case WRAP -> TerminateCode.TO_WRAP;
            case FAULT -> TerminateCode.PROTECTION_UNSPECIFIED;
            case INVALID_STAG, OK -> TerminateCode.INVALID_STAG;
        };
    }
}
