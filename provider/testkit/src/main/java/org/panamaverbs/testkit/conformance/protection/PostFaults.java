package org.panamaverbs.testkit.conformance.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.INLINE;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SendQueue;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.memory.RegisteredBuffer;

/**
 * Sends with every combination of faults, of which the first is told in the order that every provider keeps. Nothing is
 * posted: what has no fault is not tried.
 *
 * @param can what the device can
 * @param config of the queue pairs
 * @param buffer of their domain, of at least 8 bytes
 */
public record PostFaults(Capabilities can, QueuePairConfig config, RegisteredBuffer buffer) {
    private static final int NO_FLAG = 1 << 30;
    private static final int[] FLAGS = {SIGNALED, SIGNALED | NO_FLAG, SIGNALED | INLINE, SIGNALED | INLINE | NO_FLAG};
    private static final long TOO_LONG = SgList.MAX_LENGTH + 1;
    // The nearest values that neither an unsigned nor a signed number of 32 bits can have.
    private static final long[] BEYOND_32_BITS = {1L << 32, Integer.MIN_VALUE - 1L};
    private static final int MOST_PIECES = 256;
    private static final int MOST_TO_FILL = 1 << 16;

    /** What stands against every post to a queue. */
    public enum State {
        /** Its queue pair is closed. */
        CLOSED(Told.CLOSED),
        /** Its queue pair is not connected. */
        NOT_CONNECTED(Told.NOT_CONNECTED),
        /** It is full. */
        FULL(Told.QUEUE_FULL),
        /** Nothing. */
        READY(null);

        @SuppressWarnings("ImmutableEnumChecker") // what Set.of returns does not change
        private final Set<Told> faults;

        State(@Nullable Told fault) {
            faults = fault == null ? Set.of() : Set.of(fault);
        }
    }

    /** Fails unless each post to {@code queue} that has a fault tells the first. */
    public void expectInOrder(SendQueue queue, State state) {
        Differences found = new Differences();
        for (SendOpcode operation : SendOpcode.values()) {
            for (int flags : FLAGS) {
                onePiece(queue, state, operation, flags, found);
                lists(queue, state, operation, flags, found);
                inline(queue, state, operation, flags, found);
                immediates(queue, state, operation, flags, found);
                Set<Told> faults = faults(state, operation, fits(operation, Long.BYTES), flags, 1, Long.BYTES, false);
                found.expect(
                        faults,
                        "atomic " + operation + " flags " + flags + " " + state,
                        () -> queue.post(WorkRequest.of(operation)
                                .wrId(1)
                                .local(buffer.iova(), Long.BYTES, buffer.lkey())
                                .compareAndSwap(1, 1)
                                .masks(-1, -1)
                                .flags(flags)));
            }
        }
        for (int flags : FLAGS) {
            Set<Told> faults = faults(state, SendOpcode.LOCAL_INVALIDATE, true, flags, 1, 0, false);
            found.expect(
                    faults,
                    "local invalidate, flags " + flags + " " + state,
                    () -> queue.localInvalidate(1, buffer.rkey(), flags));
        }
        found.expectNone();
    }

    private void onePiece(SendQueue queue, State state, SendOpcode operation, int flags, Differences found) {
        for (long length : new long[] {0, 8, -1, config.maxInlineBytes() + 1L, TOO_LONG}) {
            Set<Told> faults = faults(state, operation, fits(operation, length), flags, 1, length, false);
            found.expect(
                    faults,
                    operation + " of " + length + ", flags " + flags + " " + state,
                    () -> queue.post(WorkRequest.of(operation)
                            .wrId(1)
                            .local(buffer.iova(), length, buffer.lkey())
                            .flags(flags)));
        }
    }

    private void lists(SendQueue queue, State state, SendOpcode operation, int flags, Differences found) {
        int most = operation == SendOpcode.RDMA_READ
                ? Math.min(config.maxSendSge(), can.maxSgeRead())
                : config.maxSendSge();
        for (int pieces : new int[] {1, 2, most + 1}) {
            for (long piece : new long[] {0, 8, config.maxInlineBytes() + 1L, 1L << 31}) {
                if (pieces <= MOST_PIECES) {
                    SgList list = SgList.ofCapacity(pieces);
                    for (int i = 0; i < pieces; i++) {
                        list.add(buffer.iova(), piece, buffer.lkey());
                    }
                    Set<Told> faults = faults(
                            state, operation, operation.isTransfer(), flags, pieces, list.totalBytes(), pieces > most);
                    found.expect(
                            faults,
                            operation + " of " + pieces + " times " + piece + ", flags " + flags + " " + state,
                            () -> queue.post(WorkRequest.of(operation)
                                    .wrId(1)
                                    .local(list)
                                    .flags(flags)));
                }
            }
        }
    }

    private void inline(SendQueue queue, State state, SendOpcode operation, int flags, Differences found) {
        int most = config.maxInlineBytes();
        MemorySegment data = MemorySegment.ofArray(new byte[most + 1]);
        MemorySegment gone;
        try (Arena arena = Arena.ofShared()) {
            gone = arena.allocate(most + 1L);
        }
        for (long length : new long[] {0, 1, most, most + 1L, most + 2L, -1}) {
            Set<Told> faults = faults(state, operation, operation.isTransfer(), flags | INLINE, 1, length, false);
            if (length < 0 || length > data.byteSize()) {
                faults.add(Told.OUT_OF_RANGE);
            }
            String what = operation + " inline " + length + ", flags " + flags + " " + state;
            found.expect(
                    faults,
                    what,
                    () -> queue.post(WorkRequest.of(operation)
                            .wrId(1)
                            .inline(data, 0, length)
                            .flags(flags)));
            // Which of the two is told first depends on the device: both are found out by trying.
            if (length > 0 && !faults.equals(Set.of(Told.QUEUE_FULL))) {
                faults.add(Told.GONE);
                found.expect(
                        faults,
                        what + " gone",
                        () -> queue.post(WorkRequest.of(operation)
                                .wrId(1)
                                .inline(gone, 0, length)
                                .flags(flags)));
            }
        }
    }

    private void immediates(SendQueue queue, State state, SendOpcode operation, int flags, Differences found) {
        boolean tooLong = operation.carriesImmediate() && can.immediateBytes() < Long.BYTES;
        boolean fits = operation.isTransfer() && !tooLong;
        SgList list = SgList.ofCapacity(1).add(buffer.iova(), 0, buffer.lkey());
        MemorySegment data = MemorySegment.ofArray(new byte[1]);
        for (long value : BEYOND_32_BITS) {
            String what = operation + " with immediate " + value + ", flags " + flags + " " + state;
            Set<Told> faults = faults(state, operation, fits, flags, 1, 0, false);
            found.expect(
                    faults,
                    what,
                    () -> queue.post(WorkRequest.of(operation)
                            .wrId(1)
                            .local(buffer.iova(), 0, buffer.lkey())
                            .immediate(value)
                            .flags(flags)));
            found.expect(
                    faults,
                    what + " of a list",
                    () -> queue.post(WorkRequest.of(operation)
                            .wrId(1)
                            .local(list)
                            .immediate(value)
                            .flags(flags)));
            found.expect(
                    faults(state, operation, fits, flags | INLINE, 1, 1, false),
                    what + " inline",
                    () -> queue.post(WorkRequest.of(operation)
                            .wrId(1)
                            .inline(data, 0, 1)
                            .immediate(value)
                            .flags(flags)));
        }
    }

    private Set<Told> faults(
            State state, SendOpcode operation, boolean fits, int flags, int pieces, long length, boolean tooMany) {
        Set<Told> faults = EnumSet.noneOf(Told.class);
        faults.addAll(state.faults);
        boolean inline = (flags & INLINE) != 0;
        addIf(faults, Told.LACKING, !can.has(operation));
        addIf(
                faults,
                Told.INVALID,
                !fits
                        || (flags & NO_FLAG) != 0
                        || length < 0
                        || (inline && !operation.carriesPayload())
                        || (operation == SendOpcode.IMMEDIATE && length != 0));
        addIf(faults, Told.TOO_MANY_SEGMENTS, tooMany && pieces > 1);
        addIf(faults, Told.INLINE_TOO_LONG, inline && length > config.maxInlineBytes());
        addIf(faults, Told.MESSAGE_TOO_LONG, length > Math.min(can.maxMessageBytes(), SgList.MAX_LENGTH));
        return faults;
    }

    private static void addIf(Set<Told> faults, Told fault, boolean condition) {
        if (condition) {
            faults.add(fault);
        }
    }

    /** Tells whether a request with one SGE of {@code length} can be of {@code operation}. */
    private static boolean fits(SendOpcode operation, long length) {
        return operation.isTransfer()
                || (operation.isAtomic() && length == Long.BYTES)
                || (operation.isLocal() && operation != SendOpcode.BIND_WINDOW && length == 0);
    }

    /** Posts until {@code post} answers that the queue is full, and fails if it answers anything else. */
    static void fill(IntSupplier post) {
        int status = PostStatus.ACCEPTED;
        for (int i = 0; i < MOST_TO_FILL && status == PostStatus.ACCEPTED; i++) {
            status = post.getAsInt();
        }
        assertThat(PostStatus.text(status)).isEqualTo(PostStatus.text(PostStatus.QUEUE_FULL));
    }
}
