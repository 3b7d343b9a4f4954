package org.panamaverbs.iwarp.core;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendOpcode;

/**
 * Posts to a stream as the provider does, but in both of its ways in turns: every other request is tried without being
 * put in line.
 */
final class EitherPosts {
    private final Stream stream;
    private int count;

    EitherPosts(Stream stream) {
        this.stream = stream;
    }

    int post(
            SendOpcode operation,
            long wrId,
            long address,
            long length,
            int lkey,
            long to,
            int rkey,
            long immediate,
            int flags) {
        return isAlone() && stream.alone().transfer(operation, wrId, address, length, lkey, to, rkey, flags)
                ? PostStatus.ACCEPTED
                : stream.sends().post(operation, wrId, address, length, lkey, to, rkey, immediate, flags);
    }

    int postInline(
            SendOpcode operation,
            long wrId,
            MemorySegment data,
            long offset,
            long length,
            long to,
            int rkey,
            long immediate,
            int flags) {
        return isAlone() && stream.alone().inline(operation, wrId, data, offset, length, to, rkey, flags)
                ? PostStatus.ACCEPTED
                : stream.sends().postInline(operation, wrId, data, offset, length, to, rkey, immediate, flags);
    }

    int postAtomic(
            SendOpcode operation,
            long wrId,
            long address,
            int lkey,
            long to,
            int rkey,
            long first,
            long swap,
            long mask,
            long swapMask,
            int flags) {
        return isAlone()
                        && stream.alone()
                                .atomic(operation, wrId, address, lkey, to, rkey, first, swap, mask, swapMask, flags)
                ? PostStatus.ACCEPTED
                : stream.sends()
                        .postAtomic(operation, wrId, address, lkey, to, rkey, first, swap, mask, swapMask, flags);
    }

    // None while a batch is open: it would overtake what that withholds.
    private boolean isAlone() {
        return count++ % 2 == 0 && !stream.sends().holds && stream.sends().held() == 0;
    }
}
