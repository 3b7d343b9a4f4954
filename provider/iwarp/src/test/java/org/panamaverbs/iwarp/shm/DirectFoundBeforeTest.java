package org.panamaverbs.iwarp.shm;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.panamaverbs.iwarp.core.PeerMemory;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.core.memory.StagTable;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.MemorySlab;

/**
 * What an initiator has found of a registration is asked for no more, and means nothing once the owner takes it back.
 */
@Timeout(120)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
class DirectFoundBeforeTest {
    private static final int BYTES = 10_000;
    private static final int STAG = 0x1234_5678;
    /** After how many accesses without a poll an initiator looks around. */
    private static final int LOOK = 4096;

    private static final Access[] ALL = {
        Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC
    };

    private final MemorySlab first = MemorySlab.shared("panama-verbs first found", BYTES);
    private final MemorySlab second = MemorySlab.shared("panama-verbs then found", BYTES);
    private TwoLinks links;

    @BeforeEach
    void open() throws IOException {
        // Each registration has the same STag.
        links = new TwoLinks(new StagTable(1000, () -> STAG, 0), TwoLinks.NUMBER);
    }

    @AfterEach
    void close() {
        links.close();
        first.close();
        second.close();
    }

    private static boolean stores(PeerMemory memory, Region region, long value) {
        if (!memory.enter(region.stag(), region.base(), 8, Access.REMOTE_WRITE)) {
            return false;
        }
        memory.segment().set(JAVA_LONG, memory.offset(), value);
        memory.leave();
        return true;
    }

    @Test
    void elsewhereInTheSameSlabUnderTheSameStagItIsFoundAnew() {
        PeerMemory memory = links.reach();
        Region before = links.register(first.segment().asSlice(0, 64), ALL);
        links.introduce(memory, before, Access.REMOTE_WRITE);
        assertThat(stores(memory, before, 1)).isTrue();
        links.deregister(before);
        Region now = links.register(first.segment().asSlice(4096, 64), ALL);
        assertThat(now.stag()).isEqualTo(STAG).isEqualTo(before.stag());

        storeOnceFoundAnew(memory, now);

        assertThat(first.segment().get(JAVA_LONG, 0)).as("what was taken back").isEqualTo(1);
        assertThat(first.segment().get(JAVA_LONG, 4096)).isEqualTo(2);
        assertThat(links.ownersWords.claimed()).isZero();
        links.deregister(now);
    }

    /** Each access before may go another way: one that finds the entry of before, and one that asks for the slab. */
    private void storeOnceFoundAnew(PeerMemory memory, Region region) {
        int others = 0;
        while (!stores(memory, region, 2)) {
            links.owner.serve();
            assertThat(++others).as("accesses that go another way").isLessThanOrEqualTo(2);
        }
    }

    @Test
    void inAnotherSlabUnderTheSameStagItIsFoundAnew() {
        PeerMemory memory = links.reach();
        Region before = links.register(first.segment(), ALL);
        links.introduce(memory, before, Access.REMOTE_WRITE);
        assertThat(stores(memory, before, 1)).isTrue();
        links.deregister(before);
        Region now = links.register(second.segment(), ALL);

        storeOnceFoundAnew(memory, now);

        assertThat(first.segment().get(JAVA_LONG, 0)).isEqualTo(1);
        assertThat(second.segment().get(JAVA_LONG, 0)).isEqualTo(2);
        links.deregister(now);
    }

    @Test
    void nobodyEntersByWhatWasFoundBefore() {
        PeerMemory memory = links.reach();
        Region region = links.register(first.segment(), ALL);
        links.introduce(memory, region, Access.REMOTE_WRITE);
        assertThat(stores(memory, region, 1)).isTrue();
        links.deregister(region);

        assertThat(stores(memory, region, 2)).isFalse();
        assertThat(stores(memory, region, 2)).isFalse();

        assertThat(first.segment().get(JAVA_LONG, 0)).isEqualTo(1);
        assertThat(links.ownersWords.claimed()).isZero();
    }

    @Test
    void whoNeverPollsUnmapsWhatWasTakenAway() throws IOException {
        PeerMemory memory = links.reach();
        long without = TwoLinks.mappings("panama-verbs first found");
        Region region = links.register(first.segment(), ALL);
        links.introduce(memory, region, Access.REMOTE_WRITE);
        assertThat(stores(memory, region, 1)).isTrue();
        assertThat(TwoLinks.mappings("panama-verbs first found")).isEqualTo(without + 1);
        links.deregister(region);

        for (int i = 0; i < LOOK; i++) {
            assertThat(memory.isCaughtUp()).isTrue();
        }

        assertThat(TwoLinks.mappings("panama-verbs first found")).isEqualTo(without);
    }
}
