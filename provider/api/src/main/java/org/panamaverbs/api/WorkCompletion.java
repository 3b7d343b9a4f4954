package org.panamaverbs.api;

/**
 * One work completion, {@code struct ibv_wc}: a reusable holder inside {@link WorkCompletions}. Its values are valid
 * until the next poll with the same holder. Not thread-safe.
 */
public final class WorkCompletion {
    private static final int HAS_IMMEDIATE = 1;
    private static final int HAS_INVALIDATED_STAG = 1 << 1;
    private static final int HAS_TIMESTAMP = 1 << 2;
    private static final int HAS_WALLCLOCK = 1 << 3;

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

    /** Tells whether the status is success. */
    public boolean ok() {
        return status == WcStatus.SUCCESS;
    }

    /** Returns what was completed; valid only if the status is success. */
    public WcOpcode opcode() {
        return opcode;
    }

    /** Returns the octets received or read, 0 to 2^32-1; for an atomic 8. */
    public long byteCount() {
        return byteCount;
    }

    /** Tells whether immediate data came. */
    public boolean hasImmediate() {
        return (flags & HAS_IMMEDIATE) != 0;
    }

    /** Returns the immediate data, 8 octets on iWARP, 4 in the low half on InfiniBand and RoCE; 0 without. */
    public long immediate() {
        return immediate;
    }

    /** Tells whether the message invalidated an STag of this side. */
    public boolean hasInvalidatedStag() {
        return (flags & HAS_INVALIDATED_STAG) != 0;
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

    /** Tells whether there is a {@link #timestamp()}: the queue was made with {@link WcField#TIMESTAMP}. */
    public boolean hasTimestamp() {
        return (flags & HAS_TIMESTAMP) != 0;
    }

    /**
     * Returns when the device completed the request, in ticks of its clock ({@code ibv_wc_read_completion_ts(3)}), 0
     * without. {@link Verbs#attributes()} has the clock's rate, {@code hca_core_clock}, and the bits that count,
     * {@code completion timestamp_mask}: differences are to be masked with them.
     */
    public long timestamp() {
        return hasTimestamp() ? timestamp : 0;
    }

    /** Tells whether there is a {@link #wallclockNanos()}: the queue was made with {@link WcField#WALLCLOCK}. */
    public boolean hasWallclock() {
        return (flags & HAS_WALLCLOCK) != 0;
    }

    /**
     * Returns when the device completed the request, in nanoseconds since 1970-01-01 UTC as the driver converts its
     * clock ({@code ibv_wc_read_completion_wallclock_ns(3)}), 0 without.
     */
    public long wallclockNanos() {
        return hasWallclock() ? wallclockNanos : 0;
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

    @Override
    public String toString() {
        return "wr_id %d %s %s, QP %d, %d octets%s%s%s%s%s"
                .formatted(
                        wrId,
                        ok() ? opcode : "",
                        status.text(),
                        qpNumber,
                        byteCount,
                        hasImmediate() ? ", immediate 0x%x".formatted(immediate) : "",
                        hasInvalidatedStag() ? ", invalidated STag 0x%08x".formatted(invalidatedStag) : "",
                        hasTimestamp() ? ", timestamp " + Long.toUnsignedString(timestamp) : "",
                        hasWallclock() ? ", wall clock " + wallclockNanos + " ns" : "",
                        vendorError != 0 ? ", vendor error 0x%04x".formatted(vendorError) : "");
    }
}
