package org.panamaverbs.ibverbs.post;

import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ReceiveList;

/**
 * Posts lists of receives to one native queue: chain after chain of slots, which are made with the first list. Used
 * with the queue's gate, which keeps the queue alive.
 */
final class ReceiveChain {
    /** Hands a chain to the driver: 0 or an error number, as {@code ibv_post_recv(3)} answers. */
    @FunctionalInterface
    interface Doorbell {
        int ring(long wr, long badWr);
    }

    // So many go with one doorbell: more would not make a receive cheaper.
    private static final int MOST = 128;

    private final int depth;
    private final ReceiveSlots one;
    private final Doorbell doorbell;
    private @Nullable ReceiveSlots slots;

    /** Creates what posts to a queue of {@code depth} receives, which are as {@code one} has them. */
    ReceiveChain(int depth, ReceiveSlots one, Doorbell doorbell) {
        this.depth = depth;
        this.one = one;
        this.doorbell = doorbell;
    }

    /** Posts as {@link org.panamaverbs.api.ReceiveQueue} says, until a chain is not taken whole. */
    int post(ReceiveList list, int first, int count) {
        ReceiveSlots chain = slots();
        int taken = 0;
        int status = PostStatus.ACCEPTED;
        while (taken < count && status == PostStatus.ACCEPTED) {
            int chained = chain.write(list, first + taken, count - taken);
            if (chained < 0) {
                status = chained;
            } else {
                chain.forgetRefused();
                int errno = doorbell.ring(chain.address(), chain.badWr());
                status = ReceiveSlots.answer(errno);
                taken += errno == 0 ? chained : chain.taken(chained);
            }
        }
        return taken > 0 ? taken : status;
    }

    private ReceiveSlots slots() {
        ReceiveSlots made = slots;
        if (made == null) {
            made = one.chain(Arena.ofAuto(), Math.min(depth, MOST));
            slots = made;
        }
        return made;
    }
}
