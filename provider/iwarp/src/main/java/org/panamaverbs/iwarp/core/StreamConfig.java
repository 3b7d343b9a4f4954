package org.panamaverbs.iwarp.core;

/**
 * What a stream is made with.
 *
 * @param qpNumber the queue pair's number
 * @param domainId the protection domain's number
 * @param peerRights what the peer may do, mask of {@code Access.bit()}
 * @param maxSendWr outstanding sends, from 1
 * @param maxSendSge pieces a send, 1 to 127
 * @param maxRecvSge pieces a receive, 1 to 127
 * @param maxInlineBytes inline octets a send, from 0
 * @param signalAll whether every send is signaled
 * @param lingerNanos how long a peer that has everything may send nothing and not close after us
 * @param probe whether an initiator whose peer stays silent sends up to three zero-length Writes more: Linux siw can
 *     overlook the first FPDU if it comes while it still attaches the socket
 * @param firstFpduNanos how long a responder awaits the first FPDU of an initiator that has {@code Rtr.WAIVED} the
 *     ready-to-receive message before it sends all the same; 0 for ever
 * @param prediction whether what a busy stream nearly always sends and gets is done by {@link PredictedReceive}
 */
public record StreamConfig(
        int qpNumber,
        int domainId,
        int peerRights,
        int maxSendWr,
        int maxSendSge,
        int maxRecvSge,
        int maxInlineBytes,
        boolean signalAll,
        long lingerNanos,
        boolean probe,
        long firstFpduNanos,
        boolean prediction) {
    /**
     * Begins a configuration with one piece a request, no inline data, no probes, no time to linger, and a first FPDU
     * that is awaited for ever.
     */
    public static Builder builder() {
        return new Builder();
    }

    /** What a stream is made with, set value by value. For one thread. */
    public static final class Builder {
        private int qpNumber;
        private int domainId;
        private int peerRights = ~0;
        private int maxSendWr;
        private int maxSendSge = 1;
        private int maxRecvSge = 1;
        private int maxInlineBytes;
        private boolean signalAll;
        private long lingerNanos;
        private boolean probe;
        private long firstFpduNanos;
        private boolean prediction = true;

        private Builder() {}

        /** Sets {@link StreamConfig#qpNumber()}. */
        public Builder qpNumber(int value) {
            qpNumber = value;
            return this;
        }

        /** Sets {@link StreamConfig#domainId()}. */
        public Builder domainId(int value) {
            domainId = value;
            return this;
        }

        /** Sets {@link StreamConfig#peerRights()}; all without. */
        public Builder peerRights(int value) {
            peerRights = value;
            return this;
        }

        /** Sets {@link StreamConfig#maxSendWr()}. */
        public Builder maxSendWr(int value) {
            maxSendWr = value;
            return this;
        }

        /** Sets {@link StreamConfig#maxSendSge()}. */
        public Builder maxSendSge(int value) {
            maxSendSge = value;
            return this;
        }

        /** Sets {@link StreamConfig#maxRecvSge()}. */
        public Builder maxRecvSge(int value) {
            maxRecvSge = value;
            return this;
        }

        /** Sets {@link StreamConfig#maxInlineBytes()}. */
        public Builder maxInlineBytes(int value) {
            maxInlineBytes = value;
            return this;
        }

        /** Sets {@link StreamConfig#signalAll()}. */
        public Builder signalAll(boolean value) {
            signalAll = value;
            return this;
        }

        /** Sets {@link StreamConfig#lingerNanos()}. */
        public Builder lingerNanos(long value) {
            lingerNanos = value;
            return this;
        }

        /** Sets {@link StreamConfig#probe()}. */
        public Builder probe(boolean value) {
            probe = value;
            return this;
        }

        /** Sets {@link StreamConfig#firstFpduNanos()}. */
        public Builder firstFpduNanos(long value) {
            firstFpduNanos = value;
            return this;
        }

        /** Sets {@link StreamConfig#prediction()}; true without. */
        public Builder prediction(boolean value) {
            prediction = value;
            return this;
        }

        /** Returns what was set so far. */
        public StreamConfig build() {
            return new StreamConfig(
                    qpNumber,
                    domainId,
                    peerRights,
                    maxSendWr,
                    maxSendSge,
                    maxRecvSge,
                    maxInlineBytes,
                    signalAll,
                    lingerNanos,
                    probe,
                    firstFpduNanos,
                    prediction);
        }
    }
}
