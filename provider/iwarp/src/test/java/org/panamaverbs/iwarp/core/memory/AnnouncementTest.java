package org.panamaverbs.iwarp.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.MemorySlab;

/** Accesses that are announced: a registration is as exactly taken away from them as from those that pin it. */
class AnnouncementTest {
    private static final int DOMAIN = 1;
    private static final int BYTES = 64;
    private static final int MANY = 12;

    private final StagTable stags = new StagTable(MANY, new SplittableRandom(1)::nextInt);
    private final MemorySlab slab = MemorySlab.allocate(BYTES);

    private Region register(MemorySegment memory) {
        return Objects.requireNonNull(stags.enable(memory, 0, Access.mask(Access.LOCAL_WRITE), DOMAIN));
    }

    private Protection stream(int number) {
        return new Protection(stags, DOMAIN, number, 0);
    }

    private static AccessCheck announce(Protection stream, Region region) {
        return stream.announce(region.stag(), 0, BYTES, Access.LOCAL_WRITE);
    }

    /** Has {@code stream} know {@code region}, which it pins the first time. */
    private static void accessOnce(Protection stream, Region region) {
        assertThat(announce(stream, region)).isEqualTo(AccessCheck.OK);
        assertThat(stream.isStillOpen()).isTrue();
        stream.leave();
    }

    @Test
    void countsAsInsideFromTheAnnouncementToTheEndOfTheAccess() {
        Region region = register(slab.segment());
        Protection stream = stream(1);
        accessOnce(stream, region);

        assertThat(announce(stream, region)).isEqualTo(AccessCheck.OK);
        assertThat(stream.isStillOpen()).isTrue();
        assertThat(region.revoke()).isTrue();
        assertThat(region.quiescent()).isFalse();
        stream.leave();

        assertThat(region.quiescent()).isTrue();
        slab.close();
    }

    @Test
    void isNotLetInBehindTheRevocation() {
        Region region = register(slab.segment());
        Protection stream = stream(1);
        accessOnce(stream, region);

        assertThat(region.revoke()).isTrue();
        assertThat(announce(stream, region)).isEqualTo(AccessCheck.OK);
        assertThat(stream.isStillOpen()).isFalse();
        stream.leave();

        assertThat(announce(stream, region)).isEqualTo(AccessCheck.INVALID_STAG);
        assertThat(region.quiescent()).isTrue();
        slab.close();
    }

    @Test
    void checksRightsAndBounds() {
        Region region = register(slab.segment());
        Protection stream = stream(1);
        accessOnce(stream, region);
        assertThat(stream.announce(region.stag(), 1, BYTES, Access.LOCAL_WRITE)).isEqualTo(AccessCheck.BOUNDS);
        accessOnce(stream, region);
        assertThat(stream.announce(region.stag(), -1L, BYTES, Access.LOCAL_WRITE))
                .isEqualTo(AccessCheck.WRAP);
        accessOnce(stream, region);
        assertThat(stream.announce(region.stag(), 0, BYTES, Access.REMOTE_READ)).isEqualTo(AccessCheck.RIGHTS);
        accessOnce(stream, region);

        assertThat(region.revoke()).isTrue();
        assertThat(region.quiescent()).isTrue();
        slab.close();
    }

    @Test
    void findsWhatIsRegisteredUnderTheStagAnew() {
        StagTable same = new StagTable(1, () -> 0x1234_5678, 0);
        Region before = Objects.requireNonNull(same.enable(slab.segment(), 0, -1, DOMAIN));
        Protection stream = new Protection(same, DOMAIN, 1, 0);
        accessOnce(stream, before);
        assertThat(before.revoke()).isTrue();
        same.remove(before);

        Region after = Objects.requireNonNull(same.enable(slab.segment().asSlice(0, 8), 0, -1, DOMAIN));
        assertThat(after.stag()).isEqualTo(before.stag());
        assertThat(announce(stream, after)).isEqualTo(AccessCheck.OK);
        assertThat(stream.isStillOpen()).isFalse();
        stream.leave();
        assertThat(announce(stream, after)).isEqualTo(AccessCheck.BOUNDS);
        assertThat(stream.announce(after.stag(), 0, 8, Access.LOCAL_WRITE)).isEqualTo(AccessCheck.OK);
        stream.leave();
        slab.close();
    }

    /** More streams than have a place, and streams that are over and give theirs to others. */
    @Test
    void letsAnyNumberOfStreamsIn() {
        Region region = register(slab.segment());
        for (int round = 0; round < 2; round++) {
            Protection[] streams = new Protection[MANY];
            for (int i = 0; i < MANY; i++) {
                streams[i] = stream(1 + i);
                accessOnce(streams[i], region);
                accessOnce(streams[i], region);
            }
            for (Protection stream : streams) {
                stream.end();
            }
        }
        Protection last = stream(MANY + 1);
        accessOnce(last, region);
        assertThat(announce(last, region)).isEqualTo(AccessCheck.OK);
        assertThat(last.isStillOpen()).isTrue();

        assertThat(region.revoke()).isTrue();
        assertThat(region.quiescent()).isFalse();
        last.leave();
        assertThat(region.quiescent()).isTrue();
        slab.close();
    }

    /** A pin keeps closed memory from being taken for open; what is announced would not. */
    @Test
    void pinsMemoryThatItsOwnerMayClose() {
        try (Arena arena = Arena.ofShared()) {
            Region region = register(arena.allocate(BYTES, Long.BYTES));
            Protection stream = stream(1);
            accessOnce(stream, region);
            assertThat(announce(stream, region)).isEqualTo(AccessCheck.OK);
            assertThat(region.revoke()).isTrue();
            assertThat(stream.isStillOpen()).as("pinned").isTrue();
            stream.leave();
            assertThat(region.quiescent()).isTrue();
        }
    }
}
