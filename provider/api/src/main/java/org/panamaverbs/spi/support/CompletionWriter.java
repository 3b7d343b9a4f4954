package org.panamaverbs.spi.support;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;

/**
 * Writes {@link WorkCompletions}, whose holders applications only read. A provider keeps {@link #get()} in a constant,
 * and its {@code poll} fills the holders that the application passes: {@link #slot}, {@link #set} and what else a
 * completion has, then {@link #filled}. Allocates nothing. Callers hold the lock of their completion queue, if it has
 * one: the holders have none.
 */
public abstract class CompletionWriter {
    // Set when WorkCompletions is initialized: its package alone can write holders.
    private static @Nullable CompletionWriter instance;

    /** For package {@code api} alone. */
    protected CompletionWriter() {}

    /** For package {@code api} alone: sets what {@link #get} returns. */
    public static synchronized void provide(CompletionWriter writer) {
        if (instance != null) {
            throw new IllegalStateException("completions have a writer already");
        }
        instance = writer;
    }

    /** Returns the writer, always the same object. */
    public static CompletionWriter get() {
        WorkCompletions.ofCapacity(1); // initializes the class
        return provided();
    }

    private static synchronized CompletionWriter provided() {
        return Objects.requireNonNull(instance);
    }

    /** Returns the holder to fill for completion {@code index}, below {@link WorkCompletions#capacity()}. */
    public abstract WorkCompletion slot(WorkCompletions completions, int index);

    /** Sets how many holders were filled, from the first on. */
    public abstract void filled(WorkCompletions completions, int count);

    /** Sets the values that every completion has, and clears the rest. */
    public abstract void set(
            WorkCompletion into,
            long wrId,
            WcStatus status,
            WcOpcode opcode,
            int qpNumber,
            long byteCount,
            int vendorError);

    /** Adds immediate data after {@link #set}. */
    public abstract void immediate(WorkCompletion into, long value);

    /** Says after {@link #set} that a Send of 0 bytes brought the immediate data. */
    public abstract void bySend(WorkCompletion into);

    /** Adds the invalidated rkey after {@link #set}. */
    public abstract void invalidatedRkey(WorkCompletion into, int rkey);

    /** Marks, after {@link #set}, the vendor error as the numbers of a Terminate message. */
    public abstract void terminate(WorkCompletion into);

    /** Adds the queue pair number of a datagram's sender after {@link #set}. */
    public abstract void sourceQpNumber(WorkCompletion into, int number);

    /** Adds the time of the device's clock after {@link #set}. */
    public abstract void timestamp(WorkCompletion into, long ticks);

    /** Adds the time of day after {@link #set}. */
    public abstract void wallclockNanos(WorkCompletion into, long nanos);

    /** Marks, after {@link #set}, that a datagram begins with a global route header. */
    public abstract void grh(WorkCompletion into);

    /** Marks, after {@link #set}, the checksums as verified. */
    public abstract void checksumsOk(WorkCompletion into);

    /** Adds the addressing of a datagram after {@link #set}; 0 for unknown values. */
    public abstract void datagramAddress(WorkCompletion into, int lid, int serviceLevel, int pathBits, int pkeyIndex);

    /** Adds the VLAN tag after {@link #set}. */
    public abstract void cvlan(WorkCompletion into, int vlan);

    /** Adds the tag of the matching flow rule after {@link #set}. */
    public abstract void flowTag(WorkCompletion into, int tag);

    /** Adds {@link QueuePairConfig#attachment()} after {@link #set}, which clears it; null for none. */
    public abstract void attachment(WorkCompletion into, @Nullable Object attachment);
}
