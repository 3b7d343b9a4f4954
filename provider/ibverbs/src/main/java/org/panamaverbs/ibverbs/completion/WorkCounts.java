package org.panamaverbs.ibverbs.completion;

import org.panamaverbs.ibverbs.call.RawMemory;

/**
 * How much of what one queue pair posted is done, as its completions tell. An unsignaled send is done with the next
 * signaled one, so who posts says how many were posted up to each of those. Written under the gates of the completion
 * queues, read by others for statistics. It does not keep the queue pair.
 */
public final class WorkCounts {
    // infiniband/verbs.h: enum ibv_wc_opcode, enum ibv_wc_status
    private static final int IBV_WC_RDMA_READ = 2;
    private static final int IBV_WC_WR_FLUSH_ERR = 5;

    private final boolean apart;
    // For each signaled send under way how many were posted up to it, modulo 2^32; empty where all are signaled.
    private final int[] signaled;
    private int next;
    private long sends;
    private long sendsFlushed;
    private long receives;
    private long receivesFlushed;
    // Two, as their queues may be polled at once.
    private long bytesReceived;
    private long octetsRead;
    // Of sends where that can be told; errors say nothing of what was not signaled before them.
    private boolean failed;
    // Of either, by itself: what is flushed failed because of something else.
    private boolean broken;
    // How many sends are known to have succeeded, all from the first on.
    private long succeeded;

    /**
     * Creates counts of a queue pair.
     *
     * @param sends how many sends it can have outstanding
     * @param signalAll whether all are signaled
     * @param apart whether sends and receives complete in two queues: completions with an error do not say which they
     *     are
     */
    public WorkCounts(int sends, boolean signalAll, boolean apart) {
        signaled = new int[signalAll ? 0 : Integer.highestOneBit(Math.max(1, sends)) << 1];
        this.apart = apart;
    }

    /** Says, before it is handed over, that signaled send {@code index} of all has {@code upTo} posted up to it. */
    public void signaled(int index, long upTo) {
        if (signaled.length != 0) {
            signaled[index & signaled.length - 1] = (int) upTo;
        }
    }

    /**
     * Tells whether the last of {@code posted} sends is signaled, and is the one before signaled send {@code index}.
     */
    public boolean endsSignaled(int index, long posted) {
        return signaled.length == 0 || signaled[index - 1 & signaled.length - 1] == (int) posted;
    }

    /** Tells whether all signaled sends before {@code index} have succeeded, as far as completions were taken off. */
    public boolean haveSucceeded(int index) {
        return next - index >= 0;
    }

    /** Counts the completion at {@code at}, an entry of a {@link WcArray} of the queue for {@code sending}, or not. */
    void done(long at, boolean sending) {
        int status = RawMemory.getInt(at + WcArray.STATUS);
        if (status != 0) {
            failed(status == IBV_WC_WR_FLUSH_ERR, sending);
            return;
        }
        int opcode = RawMemory.getInt(at + WcArray.OPCODE);
        long octets = Integer.toUnsignedLong(RawMemory.getInt(at + WcArray.BYTE_LEN));
        boolean received = WcArray.isReceive(opcode);
        if (received) {
            receives++;
            bytesReceived += octets;
            return;
        }
        if (opcode == IBV_WC_RDMA_READ) {
            octetsRead += octets;
        }
        int index = next++;
        if (failed || signaled.length == 0) {
            sends++;
        } else {
            sends += signaled[index & signaled.length - 1] - (int) sends;
        }
        if (!failed) {
            succeeded = sends;
        }
    }

    private void failed(boolean flushed, boolean sending) {
        failed |= sending || !apart;
        broken |= !flushed;
        if (apart && sending) {
            sends++;
            sendsFlushed += flushed ? 1 : 0;
        } else if (apart) {
            receives++;
            receivesFlushed += flushed ? 1 : 0;
        }
    }

    /**
     * Returns how many signaled ones before {@code index} have not succeeded; 0 once a request has failed by itself. It
     * can be less than 0 for a moment, while what has completed already is still being handed over.
     */
    public int signaledAfter(int index) {
        return broken ? 0 : index - next;
    }

    /** Tells whether all of the {@code posted} sends are known to have succeeded. */
    public boolean allSucceeded(long posted) {
        return succeeded == posted;
    }

    /** Counts all that was posted so far as done, as the queue pair was reset: {@code index} is the next signaled. */
    public void startAnew(int index, long sendsPosted, long receivesPosted) {
        next = index;
        sends = sendsPosted;
        receives = Math.max(receives, receivesPosted);
        succeeded = sendsPosted;
        failed = false;
        broken = false;
    }

    /** Returns how many sends are done. */
    public long sends() {
        return sends;
    }

    /** Returns how many receives are done. */
    public long receives() {
        return receives;
    }

    /** Returns how many sends were flushed, -1 where that cannot be told from receives. */
    public long sendsFlushed() {
        return apart ? sendsFlushed : -1;
    }

    /** Returns how many receives were flushed, -1 where that cannot be told from sends. */
    public long receivesFlushed() {
        return apart ? receivesFlushed : -1;
    }

    /** Returns the bytes of payload that receives and Reads brought. */
    public long octets() {
        return bytesReceived + octetsRead;
    }
}
