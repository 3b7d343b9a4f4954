package org.panamaverbs.ibverbs.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.NONE;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.device.DeviceStatistics;
import org.panamaverbs.api.device.QueuePairStatistics;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;

/** What is posted and done, as posts and completions tell it. */
class StatisticsOverStubTest extends OverStub {
    private final WorkCompletions completions = WorkCompletions.ofCapacity(64);
    private IbvCompletionQueue sends;
    private IbvCompletionQueue receives;
    private IbvQueuePair queuePair;

    @BeforeEach
    void open() {
        Stub.silent(true);
        sends = verbs.queue(64);
        receives = verbs.queue(64);
        queuePair = verbs.queuePair(QueuePairConfig.of(verbs.domain(), sends).withRecvCq(receives));
        ready(queuePair);
    }

    private static void ready(IbvQueuePair queuePair) {
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS));
    }

    private static void write(IbvQueuePair by, long octets, int flags) {
        PostStatus.check(by.post(WorkRequest.of(SendOpcode.RDMA_WRITE)
                .wrId(1)
                .local(0, octets, 0)
                .flags(flags)));
    }

    private void poll(IbvCompletionQueue queue, int expected) {
        assertThat(queue.poll(completions)).isEqualTo(expected);
    }

    private QueuePairStatistics now() {
        return queuePair.statistics();
    }

    @Test
    void anUnsignaledSendIsDoneWithTheNextSignaledOne() {
        write(queuePair, 10, NONE);
        write(queuePair, 10, SIGNALED);
        write(queuePair, 10, NONE);
        write(queuePair, 10, NONE);
        write(queuePair, 10, SIGNALED);
        write(queuePair, 10, NONE);
        assertThat(now().sendsCompleted()).isZero();
        assertThat(now().sendsOutstanding()).isEqualTo(6);

        poll(sends, 2);

        assertThat(now().sendsPosted()).isEqualTo(6);
        assertThat(now().sendsCompleted()).isEqualTo(5);
        assertThat(now().sendsOutstanding()).isEqualTo(1);
    }

    @Test
    void moreSendsThanTheQueueHoldsAreCountedOnceEach() {
        for (int i = 1; i <= 1000; i++) {
            write(queuePair, 1, i % 3 == 0 ? SIGNALED : NONE);
            sends.poll(completions);
        }
        assertThat(now().sendsPosted()).isEqualTo(1000);
        assertThat(now().sendsCompleted()).isEqualTo(999);
    }

    @Test
    void eachOfAQueuePairThatSignalsAllIsCounted() {
        queuePair = verbs.queuePair(
                QueuePairConfig.of(verbs.domain(), sends).withRecvCq(receives).withSignalAll(true));
        ready(queuePair);
        Stub.silent(false);
        write(queuePair, 1, NONE);
        write(queuePair, 1, NONE);
        poll(sends, 2);

        assertThat(now().sendsCompleted()).isEqualTo(2);
    }

    @Test
    void octetsSentAreThePayloadOfSendsAndWrites() {
        write(queuePair, 100, SIGNALED);
        PostStatus.check(queuePair.post(
                WorkRequest.of(SendOpcode.SEND).wrId(1).local(0, 20, 0).flags(SIGNALED)));
        PostStatus.check(queuePair.post(
                WorkRequest.of(SendOpcode.RDMA_READ).wrId(1).local(0, 3, 0).flags(SIGNALED)));

        assertThat(now().bytesSent()).isEqualTo(120);
    }

    @Test
    void aBatchIsOneCall() {
        Batch batch = queuePair.batch();
        for (int i = 0; i < 4; i++) {
            PostStatus.check(batch.post(
                    WorkRequest.of(SendOpcode.RDMA_WRITE).wrId(i).local(0, 7, 0).flags(SIGNALED)));
        }
        PostStatus.check(batch.submit());

        assertThat(now().sendsPosted()).isEqualTo(4);
        assertThat(now().writes()).isEqualTo(1);
        assertThat(now().sendsPerWrite()).isEqualTo(4);
        assertThat(now().bytesSent()).isEqualTo(28);
    }

    @Test
    void whatTheDriverRefusesIsNotCounted() {
        Stub.hold(queuePair.number(), true);
        Stub.depth(queuePair.number(), 2);
        Batch batch = queuePair.batch();
        for (int i = 0; i < 4; i++) {
            PostStatus.check(batch.post(
                    WorkRequest.of(SendOpcode.RDMA_WRITE).wrId(i).local(0, 7, 0).flags(SIGNALED)));
        }
        assertThat(batch.submit()).isEqualTo(2);
        assertThat(batch.submit()).isEqualTo(PostStatus.QUEUE_FULL);
        assertThat(now().sendsPosted()).isEqualTo(2);
        assertThat(now().bytesSent()).isEqualTo(14);

        Stub.hold(queuePair.number(), false);
        poll(sends, 2);
        batch.discard();
        write(queuePair, 1, NONE);
        write(queuePair, 1, SIGNALED);
        poll(sends, 1);
        assertThat(now().sendsCompleted()).isEqualTo(4);
    }

    @Test
    void receivesAndTheirPayloadAreCounted() {
        PostStatus.check(queuePair.postRecv(1, 0, 100, 0));
        PostStatus.check(queuePair.postRecv(2, 0, 100, 0));
        Stub.receive(queuePair.number(), 0);
        poll(receives, 1);

        assertThat(now().receivesPosted()).isEqualTo(2);
        assertThat(now().receivesCompleted()).isEqualTo(1);
        assertThat(now().receivesLeft()).isEqualTo(1);
        assertThat(now().bytesReceived()).isEqualTo(64);
        assertThat(now().sendsCompleted()).isZero();
    }

    @Test
    void flushedSendsAreToldWhereTheyCompleteApart() {
        Stub.hold(queuePair.number(), true);
        write(queuePair, 1, SIGNALED);
        write(queuePair, 1, SIGNALED);
        queuePair.modify(QueuePairAttributes.to(QueuePairState.ERROR));
        poll(sends, 2);

        assertThat(now().sendsFlushed()).isEqualTo(2);
        assertThat(now().receivesFlushed()).isZero();
        assertThat(now().sendsCompleted()).isEqualTo(2);
    }

    @Test
    void whatWasFlushedIsUnfinished() {
        Stub.hold(queuePair.number(), true);
        write(queuePair, 1, SIGNALED);
        write(queuePair, 1, SIGNALED);
        queuePair.modify(QueuePairAttributes.to(QueuePairState.ERROR));
        poll(sends, 2);

        assertThat(queuePair.unfinished()).isEqualTo(2);
        assertThat(queuePair.allSucceeded()).isFalse();
    }

    @Test
    void flushedRequestsAreUnknownWhereAllCompleteInOneQueue() {
        queuePair = verbs.queuePair(QueuePairConfig.of(verbs.domain(), sends));

        assertThat(now().sendsFlushed()).isEqualTo(QueuePairStatistics.UNKNOWN);
        assertThat(now().receivesFlushed()).isEqualTo(QueuePairStatistics.UNKNOWN);
    }

    @Test
    void aResetLeavesNothingOutstanding() {
        Stub.hold(queuePair.number(), true);
        write(queuePair, 1, NONE);
        write(queuePair, 1, SIGNALED);
        PostStatus.check(queuePair.postRecv(1, 0, 100, 0));
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RESET));
        sends.poll(completions);
        assertThat(now().sendsOutstanding()).isZero();
        assertThat(now().receivesLeft()).isZero();

        Stub.hold(queuePair.number(), false);
        sends.poll(completions);
        ready(queuePair);
        write(queuePair, 1, NONE);
        write(queuePair, 1, SIGNALED);
        poll(sends, 1);
        assertThat(now().sendsCompleted()).isEqualTo(4);
    }

    @Test
    void anUnreliableQueuePairCountsNothingOfItsFormerLifeOrOfTheFormerOwnerOfItsNumber() {
        IbvQueuePair former = unreliable();
        fail(former);
        former.modify(QueuePairAttributes.to(QueuePairState.RESET));
        assertThat(former.statistics().sendsCompleted()).isEqualTo(1);
        poll(sends, 1);
        assertThat(former.statistics().sendsCompleted()).isEqualTo(1);

        former.modify(QueuePairAttributes.to(QueuePairState.RTS));
        fail(former);
        former.close();
        Stub.nextQpNumber(former.number());
        IbvQueuePair next = unreliable();
        assertThat(next.number()).isEqualTo(former.number());
        poll(sends, 1);
        assertThat(next.statistics().sendsCompleted()).isZero();
    }

    private IbvQueuePair unreliable() {
        IbvQueuePair made = verbs.queuePair(
                QueuePairConfig.of(verbs.domain(), sends).withRecvCq(receives).withType(QueuePairType.UC));
        ready(made);
        return made;
    }

    /** Leaves a flushed send in the queue. */
    private static void fail(IbvQueuePair queuePair) {
        Stub.hold(queuePair.number(), true);
        write(queuePair, 1, SIGNALED);
        queuePair.modify(QueuePairAttributes.to(QueuePairState.ERROR));
    }

    @Test
    void manyQueuePairsOfOneQueueAreToldApart() {
        IbvQueuePair[] all = new IbvQueuePair[20];
        for (int i = 0; i < all.length; i++) {
            all[i] = verbs.queuePair(QueuePairConfig.of(verbs.domain(), sends).withRecvCq(receives));
            ready(all[i]);
        }
        for (int i = 0; i < all.length; i += 2) {
            all[i].close();
        }
        for (int i = 1; i < all.length; i += 2) {
            for (int j = 0; j < i; j++) {
                write(all[i], 1, SIGNALED);
                poll(sends, 1);
            }
        }
        for (int i = 1; i < all.length; i += 2) {
            assertThat(all[i].statistics().sendsCompleted()).isEqualTo(i);
        }
        assertThat(verbs.context().watch().statistics().sendsCompleted()).isEqualTo(100);
    }

    @Test
    void aNumberThatIsGivenOutAgainCountsForTheNewOne() {
        write(queuePair, 1, SIGNALED);
        poll(sends, 1);
        int number = queuePair.number();
        queuePair.close();
        Stub.nextQpNumber(number);
        IbvQueuePair second =
                verbs.queuePair(QueuePairConfig.of(verbs.domain(), sends).withRecvCq(receives));
        assertThat(second.number()).isEqualTo(number);
        ready(second);
        write(second, 1, SIGNALED);
        write(second, 1, SIGNALED);
        poll(sends, 2);

        assertThat(second.statistics().sendsCompleted()).isEqualTo(2);
        assertThat(now().sendsCompleted()).isEqualTo(1);
    }

    @Test
    void pollsAreCountedAndThoseThatFoundNothing() {
        DeviceStatistics before = verbs.context().watch().statistics();
        write(queuePair, 1, SIGNALED);
        poll(sends, 1);
        poll(sends, 0);
        poll(receives, 0);
        queuePair.close();
        receives.close();

        DeviceStatistics after = verbs.context().watch().statistics();
        assertThat(after.polls() - before.polls()).isEqualTo(3);
        assertThat(after.emptyPolls() - before.emptyPolls()).isEqualTo(2);
    }
}
