package org.panamaverbs.iwarp.core.work;

/**
 * What a stream is made with.
 *
 * @param qpNumber the queue pair's number
 * @param domainId the protection domain's number
 * @param maxSendWr outstanding sends, from 1
 * @param maxSendSge pieces a send, 1 to 127
 * @param maxRecvSge pieces a receive, 1 to 127
 * @param maxInlineBytes inline octets a send, from 0
 * @param signalAll whether every send is signaled
 * @param lingerNanos how long a peer that has everything may send nothing and not close after us
 * @param nudge whether an initiator whose peer stays silent sends up to three zero-length Writes more: Linux siw can
 *     overlook the first FPDU if it comes while it still attaches the socket
 * @param firstFpduNanos how long a responder awaits the first FPDU of an initiator that has {@code Rtr.WAIVED} the
 *     ready-to-receive message before it sends all the same; 0 for ever
 */
public record StreamConfig(
        int qpNumber,
        int domainId,
        int maxSendWr,
        int maxSendSge,
        int maxRecvSge,
        int maxInlineBytes,
        boolean signalAll,
        long lingerNanos,
        boolean nudge,
        long firstFpduNanos) {
    /** Makes one of a stream that awaits the first FPDU for ever. */
    public StreamConfig(
            int qpNumber,
            int domainId,
            int maxSendWr,
            int maxSendSge,
            int maxRecvSge,
            int maxInlineBytes,
            boolean signalAll,
            long lingerNanos,
            boolean nudge) {
        this(qpNumber, domainId, maxSendWr, maxSendSge, maxRecvSge, maxInlineBytes, signalAll, lingerNanos, nudge, 0);
    }
}
