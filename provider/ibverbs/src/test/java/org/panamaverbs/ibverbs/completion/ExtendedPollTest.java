package org.panamaverbs.ibverbs.completion;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.WcField;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.call.CqExOps;
import org.panamaverbs.ibverbs.completion.DriverInJava.Cqe;
import org.panamaverbs.spi.support.Attachments;
import org.panamaverbs.spi.support.CompletionWriter;

class ExtendedPollTest {
    private static final CompletionWriter WRITER = CompletionWriter.get();

    private static final int WITH_IMM = 1 << 1;
    private static final int WITH_INV = 1 << 3;
    private static final int SEND = 0;
    private static final int RDMA_WRITE = 1;
    private static final int RECV = 128;
    private static final int RECV_RDMA_WITH_IMM = 129;
    private static final Set<WcField> ALL =
            EnumSet.of(WcField.BYTE_COUNT, WcField.IMMEDIATE, WcField.SOURCE_QP, WcField.TIMESTAMP, WcField.WALLCLOCK);
    private static final WcKind KIND = new WcKind(WITH_INV, ALL, true, new DatagramNumbers(), new Attachments());

    private final Arena arena = Arena.ofConfined();
    private final DriverInJava driver = new DriverInJava(arena);
    private final WcArray entries = new WcArray(KIND, 4);
    private final WorkCompletion completion = WRITER.slot(WorkCompletions.ofCapacity(1), 0);

    @AfterEach
    void close() {
        arena.close();
    }

    @Test
    void emptyQueueIsStartedAndNotEnded() {
        assertThat(poll(ALL, false).poll(entries, 4)).isZero();
        assertThat(driver.calls()).containsExactly("start");
    }

    @Test
    void takesABatchInOnePoll() {
        send(3);
        ExtendedPoll poll = poll(Set.of(WcField.BYTE_COUNT), false);
        assertThat(poll.poll(entries, 2)).isEqualTo(2);
        assertThat(frame(driver.calls())).containsExactly("start", "next", "end");
        assertThat(read(1).wrId()).isEqualTo(1);

        assertThat(poll.poll(entries, 2)).isEqualTo(1);
        assertThat(frame(driver.calls()))
                .as("the end comes also after the queue was found empty")
                .containsExactly("start", "next", "end");
        assertThat(read(0).wrId()).isEqualTo(2);
        assertThat(poll.poll(entries, 2)).isZero();
    }

    @Test
    void takesOneByOneWhereTheNextWouldEndThePoll() {
        send(3);
        ExtendedPoll poll = poll(Set.of(WcField.BYTE_COUNT), true);
        assertThat(poll.poll(entries, 4)).isEqualTo(3);
        assertThat(frame(driver.calls())).containsExactly("start", "end", "start", "end", "start", "end", "start");
    }

    @Test
    void asksForWantedFieldsOnly() {
        send(1);
        driver.completes(new Cqe(9, 0, RECV, 100, 0, WITH_IMM, 0));
        assertThat(poll(Set.of(WcField.SOURCE_QP), false).poll(entries, 4)).isEqualTo(2);
        assertThat(driver.calls())
                .containsExactly("start", "qp", "opcode", "next", "qp", "opcode", "source", "next", "end");
        WorkCompletion received = read(1);
        assertThat(received.opcode()).isEqualTo(WcOpcode.RECV);
        assertThat(received.qpNumber()).isEqualTo(0x17);
        assertThat(received.sourceQpNumber()).isEqualTo(0x29);
        assertThat(received.byteCount()).isZero();
        assertThat(received.hasImmediate()).isFalse();
    }

    @Test
    void bringsImmediateDataAndInvalidatedKeys() {
        driver.completes(new Cqe(1, 0, RECV, 5, Integer.reverseBytes(0xCAFE), WITH_IMM, 0));
        driver.completes(new Cqe(2, 0, RECV, 5, 0x1234, WITH_INV, 0));
        assertThat(poll(ALL, false).poll(entries, 4)).isEqualTo(2);
        assertThat(read(0).immediate()).isEqualTo(0xCAFE);
        assertThat(read(1).invalidatedRkey()).isEqualTo(0x1234);
        assertThat(completion.byteCount()).isEqualTo(5);
    }

    /** Both are RECV_IMMEDIATE; libibverbs and DiSNI have numbers of their own for them. */
    @Test
    void tellsAnEmptySendWithImmediateFromAWrite() {
        driver.completes(new Cqe(1, 0, RECV, 0, 1, WITH_IMM, 0));
        driver.completes(new Cqe(2, 0, RECV_RDMA_WITH_IMM, 0, 1, WITH_IMM, 0));
        driver.completes(new Cqe(3, 0, RECV, 5, 1, WITH_IMM, 0));
        driver.completes(new Cqe(4, 0, SEND, 0, 0, 0, 0));
        assertThat(poll(ALL, false).poll(entries, 4)).isEqualTo(4);
        assertThat(read(0).opcode()).isEqualTo(WcOpcode.RECV_IMMEDIATE);
        assertThat(completion.bySend()).isTrue();
        assertThat(read(1).opcode()).isEqualTo(WcOpcode.RECV_IMMEDIATE);
        assertThat(completion.bySend()).isFalse();
        assertThat(read(2).bySend()).isTrue();
        assertThat(read(3).bySend()).isFalse();
    }

    /** Drivers leave anything there. */
    @Test
    void whatWasSentHasNoByteCount() {
        driver.completes(new Cqe(1, 0, SEND, 0x7777, 0, 0, 0));
        driver.completes(new Cqe(2, 0, RDMA_WRITE, 0x7777, 0, 0, 0));
        assertThat(poll(ALL, false).poll(entries, 4)).isEqualTo(2);
        assertThat(read(0).byteCount()).isZero();
        assertThat(read(1).byteCount()).isZero();
    }

    @Test
    void bringsTheTimesOfTheDevice() {
        driver.completes(new Cqe(1, 0, SEND, 0, 0, 0, 77));
        driver.completes(new Cqe(2, 0, SEND, 0, 0, 0, -1));
        assertThat(poll(ALL, false).poll(entries, 4)).isEqualTo(2);
        assertThat(read(0).timestamp()).isEqualTo(77);
        assertThat(completion.wallclockNanos()).isEqualTo(1_700_000_000_000_000_077L);
        assertThat(read(1).timestamp()).isEqualTo(-1);

        // What was taken off for the application by another thread keeps them.
        WcArray kept = new WcArray(KIND, 3);
        kept.copy(entries, 0, 1);
        kept.copy(entries, 1, 2);
        kept.moveToFront(1, 3);
        kept.readSettled(0, completion);
        assertThat(completion.wrId()).isEqualTo(1);
        assertThat(completion.timestamp()).isEqualTo(77);
    }

    @Test
    void failureHasNoTimeAndNoOpcode() {
        driver.completes(new Cqe(1, 5, SEND, 0, 0, 0, 77));
        assertThat(poll(ALL, false).poll(entries, 1)).isEqualTo(1);
        assertThat(driver.calls()).containsExactly("start", "qp", "vendor", "end");
        assertThat(read(0).status()).isEqualTo(WcStatus.WR_FLUSH_ERROR);
        assertThat(completion.vendorError()).isEqualTo(0x51);
        assertThat(completion.hasTimestamp()).isFalse();
    }

    @Test
    void handsOverWhatCameBeforeAFailedPoll() {
        driver.failsWith(Errno.EIO);
        send(1);
        ExtendedPoll poll = poll(ALL, false);
        assertThat(poll.poll(entries, 4)).isEqualTo(1);
        assertThat(poll.poll(entries, 4)).isEqualTo(-Errno.EIO);
        assertThat(frame(driver.calls())).containsExactly("start", "next", "end", "start");
    }

    @Test
    void driversOwnErrorsAreNoCompletions() {
        driver.failsWith(-2); // CQ_POLL_ERR of mlx4 and mlx5
        assertThat(poll(ALL, false).poll(entries, 4)).isEqualTo(-2);
        driver.failsWith(-Errno.EINVAL); // irdma
        assertThat(poll(ALL, false).poll(entries, 4)).isEqualTo(-Errno.EINVAL);
    }

    @Test
    void queueWhoseClockIsBeingSetIsEmptyThisTime() {
        driver.failsWith(Errno.EBUSY);
        assertThat(poll(ALL, false).poll(entries, 4)).isZero();
    }

    @Test
    void successHasNoVendorErrorWhateverTheEntryHolds() {
        driver.completes(new Cqe(1, 5, SEND, 0, 0, 0, 0));
        driver.completes(new Cqe(2, 0, SEND, 0, 0, 0, 0));
        ExtendedPoll poll = poll(ALL, false);
        assertThat(poll.poll(entries, 1)).isEqualTo(1);
        assertThat(read(0).vendorError()).isEqualTo(0x51);
        assertThat(poll.poll(entries, 1)).isEqualTo(1);
        assertThat(read(0).vendorError()).isZero();
    }

    @Test
    void queueWithoutWantedFieldsHasThoseOfAnOrdinaryOne() {
        assertThat(WcKind.fields(Set.of()))
                .containsExactlyInAnyOrder(WcField.BYTE_COUNT, WcField.IMMEDIATE, WcField.SOURCE_QP);
        assertThat(WcKind.fields(Set.of(WcField.TIMESTAMP))).containsExactly(WcField.TIMESTAMP);
    }

    private void send(int count) {
        for (int i = 0; i < count; i++) {
            driver.completes(new Cqe(i, 0, SEND, 0, 0, 0, 0));
        }
    }

    private ExtendedPoll poll(Set<WcField> fields, boolean oneByOne) {
        return new ExtendedPoll(CqExOps.of(driver.queue(), false), fields, oneByOne);
    }

    /** Reads an entry as {@link IbvCompletionQueue#poll} does. */
    private WorkCompletion read(int index) {
        entries.readSettled(index, completion);
        return completion;
    }

    private static List<String> frame(List<String> calls) {
        return calls.stream().filter(Set.of("start", "next", "end")::contains).toList();
    }
}
