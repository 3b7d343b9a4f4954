package org.panamaverbs.iwarp.shm;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.panamaverbs.iwarp.core.PeerMemory;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.wire.Allocation;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.MemorySlab;

/** Memory windows as a peer reaches them by itself, and how what they lend is taken back. */
@Timeout(120)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
class DirectWindowTest {
    private static final int BYTES = 8192;
    private static final long HALF = 4096;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final Access[] LENT = {Access.LOCAL_WRITE, Access.MEMORY_WINDOW_BIND};
    private static final int BOTH = Access.mask(Access.REMOTE_READ, Access.REMOTE_WRITE);

    private final TwoLinks links = TwoLinks.of(78);
    private final MemorySlab slab = MemorySlab.shared("panama-verbs lent slab", BYTES);
    private final PeerMemory memory = links.reach();
    private final Region beneath = links.register(slab.segment().asSlice(1024), LENT);
    private final Region window = links.window();

    @AfterEach
    void close() {
        links.deregister(window);
        links.deregister(beneath);
        links.close();
        slab.close();
    }

    /** Binds the window to {@code length} bytes at {@code offset} of the slab; returns its STag. */
    private int bind(long offset, long length, int rights, int scope) {
        int stag = window.nextStag(5);
        window.revoke();
        long began = System.nanoTime();
        // A peer may look whether it still may.
        while (!window.bind(stag, beneath, slab.segment().address() + offset, length, rights, scope)) {
            assertThat(System.nanoTime() - began).isLessThan(PATIENCE_NANOS);
            Thread.onSpinWait();
        }
        return stag;
    }

    private int bind() {
        return bind(HALF, 64, BOTH, 0);
    }

    private boolean enters(int stag, long offset, long length, Access right) {
        boolean entered = memory.enter(stag, slab.segment().address() + offset, length, right);
        if (!entered) {
            links.owner.serve();
        }
        return entered;
    }

    /** Enters the window, which lends 64 bytes behind the first half, once the slab is there. */
    private void enter(int stag) {
        if (!enters(stag, HALF, 8, Access.REMOTE_WRITE)) {
            assertThat(enters(stag, HALF, 8, Access.REMOTE_WRITE)).isTrue();
        }
    }

    @Test
    void lendsWhatItIsBoundToAndNothingElse() {
        int stag = bind();
        enter(stag);
        memory.segment().set(JAVA_LONG, memory.offset(), 4711);
        memory.leave();

        assertThat(slab.segment().get(JAVA_LONG, HALF)).isEqualTo(4711);
        assertThat(enters(stag, HALF - 1, 8, Access.REMOTE_WRITE)).isFalse();
        assertThat(enters(stag, HALF + 57, 8, Access.REMOTE_WRITE)).isFalse();
        assertThat(enters(stag, HALF, 8, Access.REMOTE_ATOMIC)).isFalse();
        assertThat(enters(stag ^ 1, HALF, 8, Access.REMOTE_WRITE)).isFalse();
        assertThat(enters(beneath.stag(), HALF, 8, Access.REMOTE_WRITE))
                .as("its registration")
                .isFalse();
        assertThat(links.ownersWords.claimed()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"0, true", "17, true", "18, false"})
    void lendsToTheQueuePairThatItWasBoundFor(int scope, boolean reached) {
        enter(bind());
        memory.leave();

        int stag = bind(HALF, 64, BOTH, scope);

        assertThat(enters(stag, HALF, 8, Access.REMOTE_WRITE)).isEqualTo(reached);
        if (reached) {
            memory.leave();
        }
    }

    /** Who may only read would get a descriptor by which it could write. */
    @Test
    void whatIsOnlyReadIsLentByMessagesWhereOthersCouldWrite() {
        int stag = bind(HALF, 64, Access.mask(Access.REMOTE_READ), 0);

        assertThat(enters(stag, HALF, 8, Access.REMOTE_READ)).isFalse();
        assertThat(enters(stag, HALF, 8, Access.REMOTE_READ)).isFalse();
    }

    /** What no entry shows is not sent to who asks for it all the same. */
    @Test
    void aSlabThatNothingLendsIsNotSent() {
        bind(HALF, 64, Access.mask(Access.REMOTE_READ), 0);
        links.initiatorsWords.want(TableLayout.SLABS);
        links.owner.serve();
        assertThat(enters(window.stag(), HALF, 8, Access.REMOTE_READ)).isFalse();

        // Nothing came with it: the first entry that shows the slab has it asked for.
        int stag = bind();
        assertThat(enters(stag, HALF, 8, Access.REMOTE_WRITE)).isFalse();
    }

    /** How what a window lends is taken back. */
    enum End {
        BOUND_ANEW,
        INVALIDATED,
        CLOSED,
        TAKEN_FROM_BENEATH
    }

    private void begin(End end) {
        switch (end) {
            case BOUND_ANEW -> window.revoke();
            case INVALIDATED -> links.invalidate(window);
            case CLOSED -> {
                links.domain.retire(window);
                window.revoke();
            }
            case TAKEN_FROM_BENEATH -> beneath.revoke();
        }
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void nobodyEntersWhatWasTakenBack(End end) {
        int stag = bind(HALF, 64, BOTH, TwoLinks.NUMBER);
        enter(stag);
        memory.leave();

        begin(end);

        assertThat(enters(stag, HALF, 8, Access.REMOTE_WRITE)).isFalse();
        assertThat(links.ownersWords.claimed()).isZero();
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void whoIsInsideIsWaitedFor(End end) {
        int stag = bind(HALF, 64, BOTH, TwoLinks.NUMBER);
        enter(stag);

        begin(end);

        Region region = end == End.TAKEN_FROM_BENEATH ? beneath : window;
        assertThat(region.quiescent()).isFalse();
        assertThat(window.bind(window.nextStag(9), null, 0, 0, 0, 0)).isFalse();
        memory.leave();
        assertThat(region.quiescent()).isTrue();
    }

    @Test
    void whoIsInAnotherWindowIsNotWaitedFor() {
        Region other = links.window();
        int stag = other.nextStag(1);
        assertThat(other.bind(stag, beneath, slab.segment().address() + HALF, 64, BOTH, 0))
                .isTrue();
        bind();
        enter(stag);

        window.revoke();

        assertThat(window.quiescent()).isTrue();
        other.revoke();
        assertThat(other.quiescent()).isFalse();
        memory.leave();
        links.deregister(other);
    }

    /** A bind that was under way when its window or registration was closed lets nobody in. */
    @ParameterizedTest
    @CsvSource({"true", "false"})
    void nothingIsLentBehindTheEnd(boolean ofWindow) {
        enter(bind());
        memory.leave();
        links.domain.retire(ofWindow ? window : beneath);

        int stag = bind();

        assertThat(enters(stag, HALF, 8, Access.REMOTE_WRITE)).isFalse();
    }

    @Test
    void lendingAllocatesNothing() {
        long from = slab.segment().address() + HALF;

        long bytes = Allocation.bytesPerThousand(() -> {
            window.revoke();
            if (!window.bind(window.nextStag(5), beneath, from, 64, BOTH, 0)) {
                throw new AssertionError("somebody is inside");
            }
        });

        assertThat(bytes).isZero();
    }

    /** One thread writes by whatever is lent as fast as it can, another lends and takes back. */
    @Test
    void noOctetChangesBehindTheEnd() throws Exception {
        MemorySegment cell = slab.segment().asSlice(HALF, 8);
        enter(bind());
        memory.leave();
        AtomicLong current = new AtomicLong();
        AtomicLong written = new AtomicLong();
        AtomicBoolean over = new AtomicBoolean();
        Thread writer = Thread.ofPlatform().daemon().start(() -> {
            while (!over.get()) {
                int stag = (int) current.get();
                if (memory.enter(stag, cell.address(), 8, Access.REMOTE_WRITE)) {
                    memory.segment().set(JAVA_LONG, memory.offset(), written.incrementAndGet());
                    memory.leave();
                }
            }
        });
        try {
            for (int round = 0; round < 2000 || (written.get() < 1000 && writer.isAlive()); round++) {
                current.set(bind());
                for (int i = 0; i < round % 200; i++) {
                    Thread.onSpinWait();
                }
                window.revoke();
                while (!window.bind(window.nextStag(9), null, 0, 0, 0, 0)) {
                    Thread.onSpinWait();
                }
                long then = cell.get(JAVA_LONG, 0);
                for (int i = 0; i < 20; i++) {
                    assertThat((long) JAVA_LONG.varHandle().getVolatile(cell, 0L))
                            .as("round " + round)
                            .isEqualTo(then);
                }
            }
        } finally {
            over.set(true);
            writer.join(20_000);
        }
        assertThat(writer.isAlive()).isFalse();
    }
}
