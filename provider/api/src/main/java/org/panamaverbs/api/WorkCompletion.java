package org.panamaverbs.api;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.iwarp.TerminateReason;

/**
 * One work completion, {@code struct ibv_wc}: a reusable holder inside {@link WorkCompletions}. Its values are valid
 * until the next poll with the same holder. Not thread-safe.
 */
public final class WorkCompletion {
    private static final int HAS_IMMEDIATE = 1;
    private static final int HAS_INVALIDATED_STAG = 1 << 1;
    private static final int HAS_TIMESTAMP = 1 << 2;
    private static final int HAS_WALLCLOCK = 1 << 3;
    private static final int HAS_GRH = 1 << 4;
    private static final int HAS_ADDRESS = 1 << 5;
    private static final int HAS_CVLAN = 1 << 6;
    private static final int HAS_FLOW_TAG = 1 << 7;
    private static final int HAS_TAG = 1 << 8;
    private static final int CHECKSUMS_OK = 1 << 9;
    private static final int HAS_TERMINATE = 1 << 10;

    private long wrId;
    private WcStatus status = WcStatus.SUCCESS;
    private WcOpcode opcode = WcOpcode.SEND;
    private int flags;
    private long byteCount;
    private long immediate;
    private int invalidatedStag;
    private int qpNumber;
    private int vendorError;
    private int sourceQpNumber;
    // Count only with their flags, so that completions without need not clear them.
    private long timestamp;
    private long wallclockNanos;
    private int sourceLid;
    private int serviceLevel;
    private int dlidPathBits;
    private int pkeyIndex;
    private int cvlan;
    private int flowTag;
    private long tag;
    private int tagPrivateData;
    private @Nullable Object attachment;

    WorkCompletion() {}

    /** Returns the id that the application gave when it posted. */
    public long wrId() {
        return wrId;
    }

    /**
     * Returns the status; if it is not success, only {@link #wrId()}, {@link #qpNumber()} and the vendor error count.
     */
    public WcStatus status() {
        return status;
    }

    /** Returns whether the status is success. */
    public boolean ok() {
        return status == WcStatus.SUCCESS;
    }

    /** Returns what was completed; valid only if the status is success. */
    public WcOpcode opcode() {
        return opcode;
    }

    /**
     * Returns the bytes received or read, 0 to 2^32-1; for an atomic 8. It is 0 of Sends, Writes and what else sends,
     * whose length the application knows: devices leave anything there.
     */
    public long byteCount() {
        return switch (opcode) {
            case RECV, RECV_IMMEDIATE, RDMA_READ, CMP_SWAP, FETCH_ADD -> byteCount;
            case SEND, RDMA_WRITE, IMMEDIATE, ATOMIC_WRITE, FLUSH, BIND_WINDOW, LOCAL_INVALIDATE -> 0;
        };
    }

    /** Returns whether immediate data came. */
    public boolean hasImmediate() {
        return has(HAS_IMMEDIATE);
    }

    /** Returns the immediate data, 8 bytes on iWARP, 4 in the low half on InfiniBand and RoCE; 0 without. */
    public long immediate() {
        return immediate;
    }

    /** Returns whether the message invalidated an STag of this side. */
    public boolean hasInvalidatedStag() {
        return has(HAS_INVALIDATED_STAG);
    }

    /** Returns the STag that the message invalidated, 0 without. */
    public int invalidatedStag() {
        return invalidatedStag;
    }

    /** Returns the number of the queue pair, as {@link QueuePair#number()}. */
    public int qpNumber() {
        return qpNumber;
    }

    /** Returns the number of the queue pair that a datagram came from (UD), 0 otherwise. */
    public int sourceQpNumber() {
        return sourceQpNumber;
    }

    /**
     * Returns a provider's own error number, 0 without; on iwarp {@code layer << 12 | type << 8 | code} of the
     * {@link QueuePair#terminateCause()}, for what failed because of it and for all that was flushed.
     */
    public int vendorError() {
        return vendorError;
    }

    /** Returns the vendor error in words, on iwarp those of the Terminate; empty without. */
    public String vendorErrorText() {
        if (vendorError == 0) {
            return "";
        }
        String number = "vendor error 0x%04x".formatted(vendorError);
        if (!has(HAS_TERMINATE)) {
            return number;
        }
        int layer = vendorError >> 12;
        int type = vendorError >> 8 & 0xF;
        int code = vendorError & 0xFF;
        String reason = TerminateReason.of(layer, type, code).text();
        return "%s: %d/%d/%02x %s".formatted(number, layer, type, code, reason);
    }

    /** Returns whether there is a {@link #timestamp()}: the queue was created with {@link WcField#TIMESTAMP}. */
    public boolean hasTimestamp() {
        return has(HAS_TIMESTAMP);
    }

    /**
     * Returns when the device completed the request, in ticks of its clock ({@code ibv_wc_read_completion_ts(3)}), 0
     * without. {@link Verbs#clock()} has the clock's rate and the bits that count, with which differences are to be
     * masked; {@code api.clock.TimestampConverter} converts to nanoseconds of this host.
     */
    public long timestamp() {
        return hasTimestamp() ? timestamp : 0;
    }

    /** Returns whether there is a {@link #wallclockNanos()}: the queue was created with {@link WcField#WALLCLOCK}. */
    public boolean hasWallclock() {
        return has(HAS_WALLCLOCK);
    }

    /**
     * Returns when the device completed the request, in nanoseconds since 1970-01-01 UTC as the driver converts its
     * clock ({@code ibv_wc_read_completion_wallclock_ns(3)}), 0 without.
     */
    public long wallclockNanos() {
        return hasWallclock() ? wallclockNanos : 0;
    }

    /** Returns whether a datagram's first 40 bytes hold a GRH ({@code IBV_WC_GRH}); on RoCE they always do. */
    public boolean hasGrh() {
        return has(HAS_GRH);
    }

    /**
     * Returns whether the device has found the checksums of IPv4, and of TCP or UDP in it, to be right
     * ({@code IBV_WC_IP_CSUM_OK}). False where one is wrong, and where the device did not look:
     * {@link Capabilities.Feature#CHECKSUM_OFFLOAD}. An extended queue says it with the field
     * {@link WcField#IMMEDIATE}, by whose flags it comes.
     */
    public boolean checksumsOk() {
        return has(CHECKSUMS_OK);
    }

    /**
     * Returns the LID that a datagram came from, 16 bits ({@code ibv_wc_read_slid(3)}), 0 otherwise and on Ethernet.
     */
    public int sourceLid() {
        return has(HAS_ADDRESS) ? sourceLid : 0;
    }

    /** Returns the service level of a datagram, 0 to 15 ({@code ibv_wc_read_sl(3)}), 0 otherwise. */
    public int serviceLevel() {
        return has(HAS_ADDRESS) ? serviceLevel : 0;
    }

    /**
     * Returns the low bits of the LID that a datagram came to, as many as the port's LMC says
     * ({@code ibv_wc_read_dlid_path_bits(3)}), 0 otherwise and for multicast.
     */
    public int dlidPathBits() {
        return has(HAS_ADDRESS) ? dlidPathBits : 0;
    }

    /**
     * Returns {@code pkey_index} of a datagram, 0 otherwise. Drivers fill it for the queue pair of management datagrams
     * alone; what others receive has the key of their own {@link QueuePairAttributes#pkeyIndex()}, and here is what the
     * driver left.
     */
    public int pkeyIndex() {
        return has(HAS_ADDRESS) ? pkeyIndex : 0;
    }

    /** Returns whether there is a {@link #cvlan()}: the queue was created with {@link WcField#CVLAN}. */
    public boolean hasCvlan() {
        return has(HAS_CVLAN);
    }

    /** Returns the VLAN tag that the device took off, 16 bits ({@code ibv_wc_read_cvlan(3)}), 0 without. */
    public int cvlan() {
        return has(HAS_CVLAN) ? cvlan : 0;
    }

    /** Returns whether there is a {@link #flowTag()}: the queue was created with {@link WcField#FLOW_TAG}. */
    public boolean hasFlowTag() {
        return has(HAS_FLOW_TAG);
    }

    /** Returns the tag of the flow rule that the packet matched ({@code ibv_wc_read_flow_tag(3)}), 0 without. */
    public int flowTag() {
        return has(HAS_FLOW_TAG) ? flowTag : 0;
    }

    /** Returns whether there is a {@link #tag()}: the queue was created with {@link WcField#TAG_MATCHING}. */
    public boolean hasTag() {
        return has(HAS_TAG);
    }

    /** Returns the tag of a message of tag matching ({@code ibv_wc_read_tm_info(3)}), 0 without. */
    public long tag() {
        return has(HAS_TAG) ? tag : 0;
    }

    /** Returns the sender's private data beside the {@link #tag()}, as they came, 0 without. */
    public int tagPrivateData() {
        return has(HAS_TAG) ? tagPrivateData : 0;
    }

    /**
     * Returns the {@link QueuePairConfig#attachment()} of the queue pair, whatever the status, null without. A queue
     * pair that is closed gives no completions any more; where its device leaves some behind nevertheless, they have
     * the attachment of that queue pair, also if another has its number by now.
     */
    public @Nullable Object attachment() {
        return attachment;
    }

    private boolean has(int flag) {
        return (flags & flag) != 0;
    }

    /** Makes this hold what {@code other} holds. */
    void copy(WorkCompletion other) {
        wrId = other.wrId;
        status = other.status;
        opcode = other.opcode;
        flags = other.flags;
        byteCount = other.byteCount;
        immediate = other.immediate;
        invalidatedStag = other.invalidatedStag;
        qpNumber = other.qpNumber;
        vendorError = other.vendorError;
        sourceQpNumber = other.sourceQpNumber;
        timestamp = other.timestamp;
        wallclockNanos = other.wallclockNanos;
        sourceLid = other.sourceLid;
        serviceLevel = other.serviceLevel;
        dlidPathBits = other.dlidPathBits;
        pkeyIndex = other.pkeyIndex;
        cvlan = other.cvlan;
        flowTag = other.flowTag;
        tag = other.tag;
        tagPrivateData = other.tagPrivateData;
        attachment = other.attachment;
    }

    /** For providers: sets what every completion has and clears the rest. */
    public void set(long wrId, WcStatus status, WcOpcode opcode, int qpNumber, long byteCount, int vendorError) {
        this.wrId = wrId;
        // Storing a reference costs the collector's barrier, and these two rarely change from poll to poll.
        if (this.status != status) {
            this.status = status;
        }
        if (this.opcode != opcode) {
            this.opcode = opcode;
        }
        this.qpNumber = qpNumber;
        this.byteCount = byteCount;
        this.vendorError = vendorError;
        flags = 0;
        immediate = 0;
        invalidatedStag = 0;
        sourceQpNumber = 0;
        if (attachment != null) {
            attachment = null;
        }
    }

    /** For providers: adds immediate data after {@link #set}. */
    public void setImmediate(long value) {
        immediate = value;
        flags |= HAS_IMMEDIATE;
    }

    /** For providers: adds the invalidated STag after {@link #set}. */
    public void setInvalidatedStag(int stag) {
        invalidatedStag = stag;
        flags |= HAS_INVALIDATED_STAG;
    }

    /** For providers: says after {@link #set} that the vendor error has the numbers of a Terminate. */
    public void setTerminate() {
        flags |= HAS_TERMINATE;
    }

    /** For providers: adds where a datagram came from after {@link #set}. */
    public void setSourceQpNumber(int number) {
        sourceQpNumber = number;
    }

    /** For providers: adds the time of the device's clock after {@link #set}. */
    public void setTimestamp(long ticks) {
        timestamp = ticks;
        flags |= HAS_TIMESTAMP;
    }

    /** For providers: adds the time of day after {@link #set}. */
    public void setWallclockNanos(long nanos) {
        wallclockNanos = nanos;
        flags |= HAS_WALLCLOCK;
    }

    /** For providers: says after {@link #set} that a datagram's bytes begin with a GRH. */
    public void setGrh() {
        flags |= HAS_GRH;
    }

    /** For providers: says after {@link #set} that the device has found the checksums to be right. */
    public void setChecksumsOk() {
        flags |= CHECKSUMS_OK;
    }

    /** For providers: adds how a datagram came after {@link #set}; what is not known is 0. */
    public void setDatagramAddress(int lid, int level, int pathBits) {
        sourceLid = lid;
        serviceLevel = level;
        dlidPathBits = pathBits;
        pkeyIndex = 0;
        flags |= HAS_ADDRESS;
    }

    /** For providers: adds the index of a datagram's partition key after {@link #setDatagramAddress}. */
    public void setPkeyIndex(int index) {
        pkeyIndex = index;
    }

    /** For providers: adds the VLAN tag after {@link #set}. */
    public void setCvlan(int vlan) {
        cvlan = vlan;
        flags |= HAS_CVLAN;
    }

    /** For providers: adds the tag of a flow rule after {@link #set}. */
    public void setFlowTag(int newTag) {
        flowTag = newTag;
        flags |= HAS_FLOW_TAG;
    }

    /** For providers: adds a message's tag after {@link #set}. */
    public void setTag(long newTag, int privateData) {
        tag = newTag;
        tagPrivateData = privateData;
        flags |= HAS_TAG;
    }

    /** For providers: adds what the queue pair was given after {@link #set}, which takes it away; null for nothing. */
    public void setAttachment(@Nullable Object object) {
        attachment = object;
    }

    @Override
    public String toString() {
        return "wr_id %d %s %s, QP %d, %d bytes%s%s%s%s%s"
                .formatted(
                        wrId,
                        ok() ? opcode : "",
                        status.text(),
                        qpNumber,
                        byteCount(),
                        hasImmediate() ? ", immediate 0x%x".formatted(immediate) : "",
                        hasInvalidatedStag() ? ", invalidated STag 0x%08x".formatted(invalidatedStag) : "",
                        hasTimestamp() ? ", timestamp " + Long.toUnsignedString(timestamp) : "",
                        hasWallclock() ? ", wall clock " + wallclockNanos + " ns" : "",
                        vendorError != 0 ? ", " + vendorErrorText() : "");
    }
}
