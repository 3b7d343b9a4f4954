package org.panamaverbs.iwarp.core;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.wire.TerminateCode;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.TaggedOffset;

/**
 * Checks one access of a stream to memory and holds the region while it lasts: {@link #enter}, copy or one system call,
 * {@link #leave} (RFC 5040 §7.2, §8.1.1; RFC 5041 §7.1, §8.2). Not thread-safe; one access at a time.
 */
final class Protection {
    /** No right is needed: local memory that is only read. */
    static final @Nullable Access ANY = null;

    private final StagTable stags;
    private final int domainId;
    private final int qpNumber;
    private @Nullable Region region;
    private long offset;

    Protection(StagTable stags, int domainId, int qpNumber) {
        this.stags = stags;
        this.domainId = domainId;
        this.qpNumber = qpNumber;
    }

    /** Checks an access to {@code length} octets, from 1, and if it is allowed pins the region until {@link #leave}. */
    AccessCheck enter(int stag, long taggedOffset, long length, @Nullable Access right) {
        Region found = stags.find(stag);
        if (found == null || !found.pin(stag)) {
            return AccessCheck.INVALID_STAG;
        }
        AccessCheck check = check(found, taggedOffset, length, right);
        if (check != AccessCheck.OK) {
            found.unpin();
            return check;
        }
        region = found;
        offset = found.segmentOffset(taggedOffset);
        return AccessCheck.OK;
    }

    /** Checks an access without entering. */
    AccessCheck probe(int stag, long taggedOffset, long length, @Nullable Access right) {
        AccessCheck check = enter(stag, taggedOffset, length, right);
        if (check == AccessCheck.OK) {
            leave();
        }
        return check;
    }

    private AccessCheck check(Region found, long taggedOffset, long length, @Nullable Access right) {
        if (!found.associated(domainId, qpNumber)) {
            return AccessCheck.NOT_ASSOCIATED;
        }
        // The owner closed the memory under the registration.
        if (!found.segment().scope().isAlive()) {
            return AccessCheck.INVALID_STAG;
        }
        if (right != null && !found.allows(right)) {
            return AccessCheck.RIGHTS;
        }
        if (TaggedOffset.wraps(taggedOffset, length)) {
            return AccessCheck.WRAP;
        }
        return TaggedOffset.within(taggedOffset, length, found.base(), found.length())
                ? AccessCheck.OK
                : AccessCheck.BOUNDS;
    }

    /** Lets the region go. */
    void leave() {
        Region held = region;
        if (held != null) {
            region = null;
            held.unpin();
        }
    }

    /** Hands the pinned region over: the caller unpins it. */
    Region take() {
        Region held = held();
        region = null;
        return held;
    }

    private Region held() {
        Region held = region;
        if (held == null) {
            throw new IllegalStateException("no region is entered");
        }
        return held;
    }

    /** Returns the memory of the region that is entered. */
    MemorySegment segment() {
        return held().segment();
    }

    /** Returns where in {@link #segment()} the access begins. */
    long offset() {
        return offset;
    }

    /**
     * Returns the code for a refused tagged placement. RFC 5041 §8.2; a missing right has no code there: the STag is
     * not valid for it.
     */
    static TerminateCode taggedCode(AccessCheck check) {
        return switch (check) {
            case NOT_ASSOCIATED -> TerminateCode.TAGGED_NOT_ASSOCIATED;
            case BOUNDS -> TerminateCode.TAGGED_BOUNDS;
            case WRAP -> TerminateCode.TAGGED_TO_WRAP;
            case INVALID_STAG, RIGHTS, OK -> TerminateCode.TAGGED_INVALID_STAG;
        };
    }

    /** Returns the code for a refused Read or Atomic Request. RFC 5040 §4.8, figure 9. */
    static TerminateCode remoteCode(AccessCheck check) {
        return switch (check) {
            case NOT_ASSOCIATED -> TerminateCode.STAG_NOT_ASSOCIATED;
            case RIGHTS -> TerminateCode.ACCESS_RIGHTS;
            case BOUNDS -> TerminateCode.BOUNDS;
            case WRAP -> TerminateCode.TO_WRAP;
            case INVALID_STAG, OK -> TerminateCode.INVALID_STAG;
        };
    }
}
