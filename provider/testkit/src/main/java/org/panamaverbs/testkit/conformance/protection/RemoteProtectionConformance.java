package org.panamaverbs.testkit.conformance.protection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.memory.Access;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.GuardedBuffer;
import org.panamaverbs.testkit.Link;
import org.panamaverbs.testkit.Posts;
import org.panamaverbs.testkit.Requirement;

/** Requests that the responder must refuse: the requester sees an error, the connection ends, no byte is touched. */
public abstract class RemoteProtectionConformance extends Conformance {
    private static final int BYTES = 256;

    /** For subclasses. */
    protected RemoteProtectionConformance() {}

    @ParameterizedTest
    @EnumSource(value = OneSided.class, names = "SEND", mode = EnumSource.Mode.EXCLUDE)
    @Requirement({"DDP-4.2-04", "DDP-7.1-T1-01", "RDMAP-5.2.1-12", "RDMAP-7.2-06", "EXT-8.2-05", "RDMAP-7.1-01"})
    void refusesUnknownKey(OneSided operation) {
        Target target = new Target(operation);
        operation.post(target.pair, 1, target.rkey() ^ 0x5555_5500, target.offset(0));
        target.expectRefused(operation, "1/1/00", "0/1/00");
    }

    @ParameterizedTest
    @EnumSource(value = OneSided.class, names = "SEND", mode = EnumSource.Mode.EXCLUDE)
    @Requirement({"RDMAP-8.1.1-1-01", "DDP-8.2-01", "RDMAP-7.2-07", "SEC-6.1.1-01", "SEC-6.1.1-02", "EXT-8.2-05"})
    void refusesKeyOfAnotherDomain(OneSided operation) {
        Target target = new Target(operation);
        ProtectionDomain other = resources().add(target.pair.b().verbs().protectionDomain());
        GuardedBuffer foreign = GuardedBuffer.register(
                resources(), other, BYTES, target.pair.b().everyRight());
        operation.post(
                target.pair,
                1,
                foreign.buffer().rkey(),
                foreign.buffer().remote().address());
        target.expectRefused(operation, "1/1/02", "1/1/00", "0/1/03", "0/1/00");
        foreign.expectUntouched();
    }

    @Test
    @Requirement({"DDP-7.1-T2-01", "RDMAP-8.1.1-5-01"})
    void refusesWriteWithoutTheRight() {
        withoutRight(OneSided.WRITE, new String[] {"1/1/00", "0/1/02"}, Access.LOCAL_WRITE, Access.REMOTE_READ);
    }

    @Test
    @Requirement({"RDMAP-7.2-11", "SEC-6.3.5-01", "RDMAP-8.1.1-5-01", "RDMAP-5.2.1-04"})
    void refusesReadWithoutTheRight() {
        withoutRight(OneSided.READ, new String[] {"0/1/02"}, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
    }

    @Test
    @Requirement({"EXT-8.2-05", "RDMAP-8.1.1-5-01"})
    void refusesFetchAddWithoutTheRight() {
        withoutRight(
                OneSided.FETCH_ADD,
                new String[] {"0/1/02"},
                Access.LOCAL_WRITE,
                Access.REMOTE_WRITE,
                Access.REMOTE_READ);
    }

    @Test
    @Requirement({"EXT-8.2-05", "RDMAP-8.1.1-5-01"})
    void refusesCmpSwapWithoutTheRight() {
        withoutRight(
                OneSided.CMP_SWAP,
                new String[] {"0/1/02"},
                Access.LOCAL_WRITE,
                Access.REMOTE_WRITE,
                Access.REMOTE_READ);
    }

    @Test
    @Requirement({"EXT-8.2-05", "RDMAP-8.1.1-5-01"})
    void refusesSwapWithoutTheRight() {
        withoutRight(
                OneSided.SWAP, new String[] {"0/1/02"}, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ);
    }

    @ParameterizedTest
    @EnumSource(
            value = OneSided.class,
            names = {"WRITE", "READ", "FETCH_ADD", "CMP_SWAP"})
    @Requirement({"RDMAP-8.1.1-5-01"})
    void refusesWhatTheQueuePairGrantsNobody(OneSided operation) {
        Access missing = switch (operation) {
            case WRITE -> Access.REMOTE_WRITE;
            case READ -> Access.REMOTE_READ;
            default -> Access.REMOTE_ATOMIC;
        };
        ConnectedPair pair = pair(operation.features());
        guaranteed(pair, Guarantee.QUEUE_PAIR_RIGHTS);
        Set<Access> others = EnumSet.of(Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);
        others.remove(missing);
        Link granting = pair.connect(
                pair.a().newQueuePair(config -> config),
                pair.b().newQueuePair(config -> config.withAccess(others.toArray(Access[]::new))));
        Link asDefault = pair.connect(
                pair.a().newQueuePair(config -> config),
                pair.b()
                        .newQueuePair(config -> QueuePairConfig.of(config.domain(), config.recvCq())
                                .withDepth(config.maxSendWr(), config.maxRecvWr())
                                .withSge(config.maxSendSge(), config.maxRecvSge())
                                .withInline(config.maxInlineBytes())));
        GuardedBuffer buffer = guarded(pair.b(), BYTES, pair.b().everyRight());
        int rkey = buffer.buffer().rkey();
        for (Link link : List.of(granting, asDefault)) {
            operation.post(pair, link, 1, rkey, buffer.buffer().remote().address());
            Refusals.expectRefused(pair, link, operation, "1/1/00", "0/1/02");
            buffer.expectUntouched();
            assertThat(pair.a().get(4096, OneSided.BYTES)).containsOnly(0);
        }

        // Another queue pair of the same domain grants it.
        operation.post(pair, 2, rkey, buffer.buffer().remote().address());
        pair.a().inbox().takeOk(2);
    }

    @ParameterizedTest
    @EnumSource(
            value = OneSided.class,
            names = {"WRITE", "READ"})
    @Requirement({"RDMAP-8.1.1-3-01", "DDP-7.1-T4-01", "RDMAP-7.2-09", "SEC-6.2.1-01", "SEC-6.3.1-01", "DDP-7.1-01"})
    void refusesOneOctetTooFar(OneSided operation) {
        Target target = new Target(operation);
        operation.post(target.pair, 1, target.rkey(), target.offset(BYTES - OneSided.BYTES + 1));
        target.expectRefused(operation, "1/1/01", "0/1/01");
    }

    @ParameterizedTest
    @EnumSource(
            value = OneSided.class,
            names = {"WRITE", "READ"})
    @Requirement({"RDMAP-8.1.1-3-01", "DDP-7.1-T3-01", "RDMAP-7.2-08"})
    void refusesOneOctetTooEarly(OneSided operation) {
        Target target = new Target(operation);
        operation.post(target.pair, 1, target.rkey(), target.offset(-1));
        target.expectRefused(operation, "1/1/01", "0/1/01");
    }

    @ParameterizedTest
    @EnumSource(
            value = OneSided.class,
            names = {"WRITE", "READ"})
    @Requirement({"RDMAP-8.1.1-3-01", "DDP-7.1-T4-01", "RDMAP-7.2-09"})
    void refusesMessageOfManySegmentsThatEndsTooFar(OneSided operation) {
        Target target = new Target(operation);
        operation.post(target.pair, target.pair.link(), 1, 50_000, target.rkey(), target.offset(0));
        Refusals.expectRefused(target.pair, operation, "1/1/01", "0/1/01");
        // Segments before the end of the buffer may have been placed: the message is judged piece by piece.
        target.buffer.expectGuardsIntact();
        assertThat(target.pair.a().get(4096, 45_000)).containsOnly(0);
    }

    @ParameterizedTest
    @EnumSource(
            value = OneSided.class,
            names = {"FETCH_ADD", "CMP_SWAP", "SWAP"})
    @Requirement({"RDMAP-8.1.1-3-01", "EXT-8.2-05"})
    void refusesAtomicBesideTheBuffer(OneSided operation) {
        Target target = new Target(operation);
        operation.post(target.pair, 1, target.rkey(), target.offset(BYTES));
        target.expectRefused(operation, "0/1/01");
    }

    @ParameterizedTest
    @EnumSource(
            value = OneSided.class,
            names = {"WRITE", "READ"})
    @Requirement({"DDP-7.1-T5-01", "RDMAP-7.2-10"})
    void refusesTaggedOffsetThatWraps(OneSided operation) {
        Target target = new Target(operation);
        operation.post(target.pair, 1, target.rkey(), -4);
        target.expectRefused(operation, "1/1/03", "1/1/01", "0/1/04", "0/1/01");
    }

    @ParameterizedTest
    @EnumSource(
            value = OneSided.class,
            names = {"FETCH_ADD", "CMP_SWAP", "SWAP"})
    @Requirement({
        "EXT-5.1.1-02",
        "EXT-5.1.1-03",
        "EXT-5.1.2-05",
        "EXT-5.1.2-06",
        "EXT-5.1.2-07",
        "EXT-5.1.2-08",
        "EXT-8.2-04"
    })
    void refusesMisalignedAtomic(OneSided operation) {
        for (int by : new int[] {1, 4, 7}) {
            Target target = new Target(operation);
            int status = operation.status(
                    target.pair, target.pair.link(), 1, OneSided.BYTES, target.rkey(), target.offset(by));
            if (status >= 0) {
                target.expectRefused(operation, "0/2/07");
            } else {
                // Drivers may look at the address before the peer does.
                Posts.answered(PostStatus.INVALID, status);
                assertThat(target.pair.a().keeps(Guarantee.ALIGNMENT_JUDGED_BY_PEER))
                        .isFalse();
                target.pair.barrier();
                target.buffer.expectUntouched();
            }
        }
    }

    @Test
    @Requirement({"DDP-8.3-5-01", "RDMAP-5.1-03", "RDMAP-7.1-01", "RDMAP-5.4-05"})
    void targetsApplicationIsToldOfTheAttempt() {
        Target target = new Target(OneSided.WRITE);
        requires(provider().reportsTerminate(), target.pair.b().verbs(), "keeps refused requests to itself");
        OneSided.WRITE.post(target.pair, 1, target.rkey() ^ 0x5555_5500, target.offset(0));
        Set<AsyncEvent.Type> refusal =
                EnumSet.of(AsyncEvent.Type.QP_ACCESS_ERROR, AsyncEvent.Type.QP_REQUEST_ERROR, AsyncEvent.Type.QP_FATAL);
        List<AsyncEvent> events = new ArrayList<>();
        poller().await("an event at the target", () -> {
            target.pair
                    .b()
                    .verbs()
                    .asyncEvent(Deadline.now())
                    .filter(event -> refusal.contains(event.type()))
                    .ifPresent(events::add);
            return !events.isEmpty();
        });
        assertThat(events.get(0).source()).isSameAs(target.pair.qpB());
        assertThat(events.get(0).terminateCause()).isEqualTo(target.pair.qpB().terminateCause());
    }

    @Test
    @Requirement({"RDMAP-7-01", "SEC-6.1.1-02"})
    void otherConnectionsGoOnAfterRefusal() {
        Target target = new Target(OneSided.WRITE);
        Link other = target.pair.connect(
                target.pair.a().newQueuePair(config -> config), target.pair.b().newQueuePair(config -> config));
        OneSided.WRITE.post(target.pair, 1, target.rkey() ^ 0x5555_5500, target.offset(0));
        target.expectRefused(OneSided.WRITE, "1/1/00");

        OneSided.WRITE.post(target.pair, other, 2, target.rkey(), target.offset(8));
        target.pair.a().inbox().takeOk(2);
        target.pair.barrier(other);
        assertThat(target.buffer.bytes()).containsSequence(target.pair.a().get(0, OneSided.BYTES));
        target.buffer.expectGuardsIntact();
    }

    private void withoutRight(OneSided operation, String[] codes, Access... rights) {
        ConnectedPair pair = pair(operation.features());
        if (operation == OneSided.READ) {
            guaranteed(pair, Guarantee.READ_RIGHTS);
        }
        GuardedBuffer buffer = guarded(pair.b(), BYTES, rights);
        operation.post(pair, 1, buffer.buffer().rkey(), buffer.buffer().remote().address());
        Refusals.expectRefused(pair, operation, codes);
        buffer.expectUntouched();
        assertThat(pair.a().get(4096, OneSided.BYTES)).containsOnly(0);
    }

    /** A connection with a guarded buffer at B that grants everything. */
    private final class Target {
        final ConnectedPair pair;
        final GuardedBuffer buffer;

        Target(OneSided operation) {
            pair = pair(operation.features());
            buffer = guarded(pair.b(), BYTES, pair.b().everyRight());
        }

        int rkey() {
            return buffer.buffer().rkey();
        }

        long offset(long octets) {
            return buffer.buffer().remote().address() + octets;
        }

        void expectRefused(OneSided operation, String... codes) {
            Refusals.expectRefused(pair, operation, codes);
            buffer.expectUntouched();
            assertThat(pair.a().get(4096, OneSided.BYTES)).containsOnly(0);
        }
    }
}
