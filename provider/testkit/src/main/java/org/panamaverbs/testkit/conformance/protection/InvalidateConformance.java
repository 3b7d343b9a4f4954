package org.panamaverbs.testkit.conformance.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.NONE;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.GuardedBuffer;
import org.panamaverbs.testkit.Link;
import org.panamaverbs.testkit.Needs;
import org.panamaverbs.testkit.Requirement;
import org.panamaverbs.testkit.Waits;

/** Taking access away: what a peer may invalidate, and what a closed registration still allows, which is nothing. */
public abstract class InvalidateConformance extends Conformance {
    /** For subclasses. */
    protected InvalidateConformance() {}

    @Test
    @Needs(Feature.SEND_WITH_INVALIDATE)
    @Requirement({"RDMAP-8.1.1-7-01", "RDMAP-5.3-13", "RDMAP-5.3-14", "SEC-6.4.5-01", "RDMAP-7.2-05"})
    void peerCannotInvalidateRegistrationOfTheDomain() {
        ConnectedPair pair = pair();
        guaranteed(pair, Guarantee.DOMAIN_STAGS_STAY);
        GuardedBuffer target = guarded(pair.b(), 64, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        Link other = another(pair);
        accepted(other.qpB().recv(1, pair.b().buffer(), 0, 8));
        accepted(other.qpA()
                .sendWithInvalidate(2, pair.a().buffer(), 0, 8, target.buffer().rkey(), SIGNALED));
        Refusals.expectInvalidateRefused(pair, other);

        OneSided.WRITE.post(
                pair, 3, target.buffer().rkey(), target.buffer().remote().address());
        pair.a().inbox().takeOk(3);
        pair.barrier();
        assertThat(target.bytes()).startsWith(pair.a().get(0, OneSided.BYTES));
        target.expectGuardsIntact();
    }

    @Test
    @Needs(Feature.SEND_WITH_INVALIDATE)
    @Requirement({"RDMAP-7.2-04", "RDMAP-5.3-13", "RDMAP-3.2-03", "RDMAP-5.3-07"})
    void invalidatingUnknownStagFailsBothSides() {
        ConnectedPair pair = pair();
        int unknown = pair.b().buffer().rkey() ^ 0x5555_5500;
        accepted(pair.qpB().recv(1, pair.b().buffer(), 0, 8));
        accepted(pair.qpA().sendWithInvalidate(2, pair.a().buffer(), 0, 8, unknown, SIGNALED));
        Refusals.expectInvalidateRefused(pair, pair.link());
    }

    @Test
    @Requirement({"RDMAP-3.2-07", "RDMAP-8.1.1-6-01", "DDP-8.3-2-01", "DDP-7.1-T1-01"})
    void closedRegistrationCannotBeWritten() {
        ConnectedPair pair = pair();
        GuardedBuffer target = guarded(pair.b(), 64, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        RemoteBuffer remote = target.buffer().remote();
        target.buffer().close();
        OneSided.WRITE.post(pair, 1, remote.rkey(), remote.address());
        Refusals.expectRefused(pair, OneSided.WRITE, "1/1/00");
        target.expectUntouched();
    }

    @Test
    @Requirement({"RDMAP-3.2-07", "RDMAP-8.1.1-6-01", "RDMAP-7.2-06"})
    void closedRegistrationCannotBeRead() {
        ConnectedPair pair = pair();
        GuardedBuffer target = guarded(pair.b(), 64, Access.REMOTE_READ);
        RemoteBuffer remote = target.buffer().remote();
        target.buffer().close();
        OneSided.READ.post(pair, 1, remote.rkey(), remote.address());
        Refusals.expectRefused(pair, OneSided.READ, "0/1/00");
        assertThat(pair.a().get(4096, OneSided.BYTES)).containsOnly(0);
    }

    @Test
    @Requirement({"RDMAP-8.1.1-6-01", "SEC-6.2.2-01"})
    void noOctetChangesOnceCloseHasReturned() {
        for (int round = 0; round < 10; round++) {
            ConnectedPair pair = pair();
            GuardedBuffer target = guarded(pair.b(), 60_000, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
            RemoteBuffer remote = target.buffer().remote();
            Background<byte[]> closing = null;
            for (int i = 1; i <= 60; i++) {
                pair.a().put(0, new byte[60_000]);
                pair.a().putLong(0, i);
                int status = pair.qpA().write(i, pair.a().buffer(), 0, 60_000, remote, 0, i == 60 ? SIGNALED : NONE);
                assertThat(status).isEqualTo(PostStatus.ACCEPTED);
                poller().poll();
                if (i == 3 + 5 * round) {
                    closing = Background.start("close", () -> {
                        target.buffer().close();
                        return target.bytes();
                    });
                }
            }
            Background<byte[]> closed = java.util.Objects.requireNonNull(closing);
            poller().await("the close", closed::isDone);
            byte[] whenClosed = closed.await(Waits.deadline());
            poller().await("all writes", () -> settled(pair));
            poller().pollAWhile();
            assertThat(target.bytes()).isEqualTo(whenClosed);
            target.expectGuardsIntact();
        }
    }

    @Test
    @ApiCase
    @Requirement({"RDMAP-8.1.1-8-01", "RDMAP-8.1.1-8-02", "SEC-6.1.1-04"})
    void stagsAreSparseAndHardToPredict() {
        ConnectedPair pair = pair();
        guaranteed(pair, Guarantee.UNPREDICTABLE_KEYS);
        int count = 500;
        Set<Integer> seen = new HashSet<>();
        Set<Integer> topOctets = new HashSet<>();
        Set<Integer> steps = new HashSet<>();
        int last = 0;
        for (int i = 0; i < count; i++) {
            try (RegisteredBuffer buffer = pair.b().domain().allocate(64, Access.REMOTE_READ)) {
                int stag = buffer.rkey();
                seen.add(stag);
                topOctets.add(stag >>> 24);
                steps.add(stag - last);
                last = stag;
            }
        }
        // Of 500 random values out of 2^24 or more, less than one pair is equal on average.
        assertThat(seen).hasSizeGreaterThan(count - 5);
        assertThat(steps).hasSizeGreaterThan(count - 10);
        assertThat(topOctets).hasSizeGreaterThan(150);
    }

    private static boolean settled(ConnectedPair pair) {
        return pair.a().inbox().size() > 0
                || (!pair.a().keeps(Guarantee.FLUSH_AFTER_FAILURE)
                        && ConnectedPair.isDown(pair.link().a()));
    }

    private static Link another(ConnectedPair pair) {
        return pair.connect(pair.a().newQueuePair(config -> config), pair.b().newQueuePair(config -> config));
    }
}
