package org.panamaverbs.iwarp.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.panamaverbs.iwarp.core.PeerMemory;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.MemorySlab;

/** What is kept of a connection that its owner closes while the peer is inside, and for how long. */
@Timeout(60)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
class DirectLeftTest {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final TwoLinks links = TwoLinks.of(78);
    private final MemorySlab slab = MemorySlab.shared("panama-verbs test slab", 4096);

    @AfterEach
    void close() {
        links.close();
        slab.close();
    }

    private PeerMemory enter(Region region) {
        PeerMemory memory = links.reach();
        links.introduce(memory, region, Access.REMOTE_WRITE);
        assertThat(memory.enter(region.stag(), region.base(), 8, Access.REMOTE_WRITE))
                .isTrue();
        return memory;
    }

    private Region register() {
        return links.register(slab.segment(), Access.LOCAL_WRITE, Access.REMOTE_WRITE);
    }

    private void awaitThatNothingIsKept() {
        long began = System.nanoTime();
        while (links.placesGiven.get() == 0 || links.ownersLine.isOpen()) {
            assertThat(System.nanoTime() - began).isLessThan(PATIENCE_NANOS);
            Thread.onSpinWait();
        }
        assertThat(links.atOwner.memory().scope().isAlive()).isFalse();
        assertThat(links.ownersLine.isOpen()).isFalse();
        assertThat(links.placesGiven).hasValue(1);
    }

    @Test
    void whatWasKeptGoesWithTheAccessThoughNobodyAsks() {
        Region region = register();
        PeerMemory memory = enter(region);
        links.owner.close();
        assertThat(links.owner.keepsFile()).isTrue();
        assertThat(links.placesGiven).hasValue(0);

        memory.leave();

        awaitThatNothingIsKept();
        links.deregister(region);
    }

    @Test
    void whatWasKeptGoesWithThePeer() {
        Region region = register();
        enter(region);
        links.owner.close();

        links.initiatorsLine.close();

        awaitThatNothingIsKept();
        links.deregister(region);
    }

    /** The peer claims other memory instead, which it cannot enter: what it was in was left before. */
    @Test
    void aClaimAfterTheEndKeepsNothing() {
        Region region = register();
        enter(region);
        links.owner.close();
        long claimed = links.ownersWords.claimed();

        links.initiatorsWords.claim(claimed + (1L << 32));

        awaitThatNothingIsKept();
        links.deregister(region);
    }

    @Test
    void anAccessThatLastsTooLongKeepsNothingButItsMemory() {
        Region region = register();
        PeerMemory memory = enter(region);
        links.owner.close();
        assertThat(links.domain.closeAbandoned(System.nanoTime())).isTrue();

        assertThat(links.domain.closeAbandoned(System.nanoTime() + DirectDomain.LONGEST_WAIT_NANOS))
                .isFalse();

        assertThat(links.atOwner.memory().scope().isAlive()).isFalse();
        assertThat(links.placesGiven).hasValue(1);
        region.revoke();
        // The peer may be inside until it closes its side, whatever it says where nobody looks any more.
        assertThat(region.quiescent()).isFalse();
        memory.leave();
        assertThat(region.quiescent()).isFalse();
        links.initiatorsLine.close();
        assertThat(region.quiescent()).isTrue();
        assertThat(links.ownersLine.isOpen()).isFalse();
        assertThat(links.placesGiven).hasValue(1);
    }

    @Test
    void aClaimOnNothingKeepsNothing() {
        links.reach();
        links.initiatorsWords.claim(0x12345678_00000000L | 0x9abcdef0L);

        links.owner.close();

        assertThat(links.owner.keepsFile()).isFalse();
        assertThat(links.ownersLine.isOpen()).isFalse();
    }
}
