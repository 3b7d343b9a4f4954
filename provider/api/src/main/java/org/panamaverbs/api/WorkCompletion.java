package org.panamaverbs.api;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.cm.TerminateReason;
import org.panamaverbs.api.device.Capabilities;

/**
 * A work completion, {@code struct ibv_wc}: a reusable holder inside {@link WorkCompletions}. Its values are valid
 * until the next poll with the same holder. Not thread-safe.
 */
public final class WorkCompletion {
    static final int HAS_IMMEDIATE = 1;
    static final int HAS_INVALIDATED_RKEY = 1 << 1;
    static final int HAS_TIMESTAMP = 1 << 2;
    static final int HAS_WALLCLOCK = 1 << 3;
    static final int HAS_GRH = 1 << 4;
    static final int HAS_ADDRESS = 1 << 5;
    static final int HAS_CVLAN = 1 << 6;
    static final int HAS_FLOW_TAG = 1 << 7;
    static final int CHECKSUMS_OK = 1 << 9;
    static final int HAS_TERMINATE = 1 << 10;
    static final int BY_SEND = 1 << 11;

    // Written by CompletionHolders.
    long wrId;
    WcStatus status = WcStatus.SUCCESS;
    WcOpcode opcode = WcOpcode.SEND;
    int flags;
    long byteCount;
    long immediate;
    int invalidatedRkey;
    int qpNumber;
    int vendorError;
    int sourceQpNumber;
    // Count only with their flags, so that completions without need not clear them.
    long timestamp;
    long wallclockNanos;
    int sourceLid;
    int serviceLevel;
    int dlidPathBits;
    int pkeyIndex;
    int cvlan;
    int flowTag;

    @Nullable
    Object attachment;

    WorkCompletion() {}

    /** Returns the id that was given to the post ({@code wr_id}). */
    public long wrId() {
        return wrId;
    }

    /**
     * Returns the status. Unless it is success, only {@link #wrId()}, {@link #qpNumber()}, {@link #vendorError()} and
     * {@link #attachment()} are valid ({@code status}).
     */
    public WcStatus status() {
        return status;
    }

    /** Returns whether the status is success. */
    public boolean ok() {
        return status == WcStatus.SUCCESS;
    }

    /** Returns the completed operation; valid only if the status is success ({@code opcode}). */
    public WcOpcode opcode() {
        return opcode;
    }

    /**
     * Returns the bytes received or read, from 0 to 2^32-1; 8 for an atomic ({@code byte_len}). Always 0 for Sends,
     * Writes and other requests whose length the application knows, since devices report arbitrary values there.
     */
    public long byteCount() {
        return opcode.hasByteCount() ? byteCount : 0;
    }

    /** Returns whether the message carried immediate data ({@code IBV_WC_WITH_IMM}). */
    public boolean hasImmediate() {
        return has(HAS_IMMEDIATE);
    }

    /**
     * Returns whether a Send brought what was received ({@code IBV_WC_RECV}). Of {@link WcOpcode#RECV_IMMEDIATE} false
     * if an RDMA Write did ({@code IBV_WC_RECV_RDMA_WITH_IMM}), and where the provider does not distinguish them: on
     * iWARP, whose wire does not, and on providers in software.
     */
    public boolean bySend() {
        return opcode == WcOpcode.RECV || has(BY_SEND);
    }

    /**
     * Returns the immediate data: 8 bytes on iWARP, 4 bytes in the low half on InfiniBand and RoCE, 0 if there is none
     * ({@code imm_data}).
     */
    public long immediate() {
        return immediate;
    }

    /** Returns whether the message invalidated an rkey (an STag in iWARP) of this side ({@code IBV_WC_WITH_INV}). */
    public boolean hasInvalidatedRkey() {
        return has(HAS_INVALIDATED_RKEY);
    }

    /** Returns the rkey that the message invalidated, 0 if none ({@code invalidated_rkey}). */
    public int invalidatedRkey() {
        return invalidatedRkey;
    }

    /** Returns the number of the queue pair, {@link QueuePair#number()} ({@code qp_num}). */
    public int qpNumber() {
        return qpNumber;
    }

    /** Returns the number of the queue pair that sent the datagram, 0 if this is none ({@code src_qp}). */
    public int sourceQpNumber() {
        return sourceQpNumber;
    }

    /**
     * Returns the provider's error number, 0 if there is none ({@code vendor_err}). On iwarp it is {@code layer << 12 |
     * type << 8 | code} of {@link QueuePair#terminateCause()}, for the request that failed and all that were flushed.
     */
    public int vendorError() {
        return vendorError;
    }

    /** Returns the vendor error in words, on iwarp those of the Terminate message; empty if there is none. */
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
     * Returns when the device completed the request, in ticks of its clock; 0 if unknown
     * ({@code ibv_wc_read_completion_ts(3)}). {@link Verbs#clock()} has the rate and the valid bits, with which to mask
     * differences; {@link org.panamaverbs.api.device.TimestampConverter} converts to nanoseconds of this host.
     */
    public long timestamp() {
        return hasTimestamp() ? timestamp : 0;
    }

    /** Returns whether there is a {@link #wallclockNanos()}: the queue was created with {@link WcField#WALLCLOCK}. */
    public boolean hasWallclock() {
        return has(HAS_WALLCLOCK);
    }

    /**
     * Returns when the device completed the request, in nanoseconds since 1970-01-01 UTC as converted by the driver; 0
     * if unknown ({@code ibv_wc_read_completion_wallclock_ns(3)}).
     */
    public long wallclockNanos() {
        return hasWallclock() ? wallclockNanos : 0;
    }

    /**
     * Returns whether the first 40 bytes of a datagram hold a global route header ({@code IBV_WC_GRH}); always so on
     * RoCE.
     */
    public boolean hasGrh() {
        return has(HAS_GRH);
    }

    /**
     * Returns whether the device verified the checksums of IPv4, and of TCP or UDP in it ({@code IBV_WC_IP_CSUM_OK}).
     * False if one is wrong or was not checked, see {@link Capabilities.Feature#CHECKSUM_OFFLOAD}. An extended queue
     * reports it only with {@link WcField#IMMEDIATE}.
     */
    public boolean checksumsOk() {
        return has(CHECKSUMS_OK);
    }

    /** Returns the LID that sent the datagram, 16 bits; 0 if this is none, and on Ethernet ({@code slid}). */
    public int sourceLid() {
        return has(HAS_ADDRESS) ? sourceLid : 0;
    }

    /** Returns the service level of a datagram, 0 to 15; 0 if this is none ({@code sl}). */
    public int serviceLevel() {
        return has(HAS_ADDRESS) ? serviceLevel : 0;
    }

    /**
     * Returns the low bits, as many as the port's LMC, of the LID that the datagram was sent to; 0 for multicast, and
     * if this is no datagram ({@code dlid_path_bits}).
     */
    public int dlidPathBits() {
        return has(HAS_ADDRESS) ? dlidPathBits : 0;
    }

    /**
     * Returns the P_Key index of a datagram, 0 if this is none ({@code pkey_index}). Drivers set it only for the queue
     * pair of management datagrams; for others the value is arbitrary, and {@link QueuePairAttributes#pkeyIndex()}
     * applies.
     */
    public int pkeyIndex() {
        return has(HAS_ADDRESS) ? pkeyIndex : 0;
    }

    /** Returns whether there is a {@link #cvlan()}: the queue was created with {@link WcField#CVLAN}. */
    public boolean hasCvlan() {
        return has(HAS_CVLAN);
    }

    /** Returns the VLAN tag that the device stripped, 16 bits; 0 if there is none ({@code ibv_wc_read_cvlan(3)}). */
    public int cvlan() {
        return has(HAS_CVLAN) ? cvlan : 0;
    }

    /** Returns whether there is a {@link #flowTag()}: the queue was created with {@link WcField#FLOW_TAG}. */
    public boolean hasFlowTag() {
        return has(HAS_FLOW_TAG);
    }

    /**
     * Returns the tag of the flow rule that matched the packet, 0 if there is none ({@code ibv_wc_read_flow_tag(3)}).
     */
    public int flowTag() {
        return has(HAS_FLOW_TAG) ? flowTag : 0;
    }

    /**
     * Returns the {@link QueuePairConfig#attachment()} of the queue pair, whatever the status; null if it has none.
     * Completions that a device leaves behind from a closed queue pair carry the attachment of that queue pair, even if
     * another one has its number by now.
     */
    public @Nullable Object attachment() {
        return attachment;
    }

    private boolean has(int flag) {
        return (flags & flag) != 0;
    }

    /** Copies {@code other} into this holder. */
    void copy(WorkCompletion other) {
        wrId = other.wrId;
        status = other.status;
        opcode = other.opcode;
        flags = other.flags;
        byteCount = other.byteCount;
        immediate = other.immediate;
        invalidatedRkey = other.invalidatedRkey;
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
        attachment = other.attachment;
    }

    @Override
    public String toString() {
        return "wr_id %d %s%s, QP %d%s%s%s%s%s%s"
                .formatted(
                        wrId,
                        ok() ? opcode + " " : "",
                        status.text(),
                        qpNumber,
                        ok() ? ", " + byteCount() + " bytes" : "",
                        hasImmediate() ? ", immediate 0x%x".formatted(immediate) : "",
                        hasInvalidatedRkey() ? ", invalidated rkey 0x%08x".formatted(invalidatedRkey) : "",
                        hasTimestamp() ? ", timestamp " + Long.toUnsignedString(timestamp) : "",
                        hasWallclock() ? ", wall clock " + wallclockNanos + " ns" : "",
                        vendorError != 0 ? ", " + vendorErrorText() : "");
    }
}
