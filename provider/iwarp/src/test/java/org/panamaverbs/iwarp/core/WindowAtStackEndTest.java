package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.iwarp.core.memory.Protection;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.core.memory.StagTable;
import org.panamaverbs.iwarp.core.work.LocalOperations;
import org.panamaverbs.iwarp.core.work.StreamConfig;
import org.panamaverbs.memory.Access;
import org.panamaverbs.testkit.faults.StackEnd;

/** A stream whose stack ends while it looks at a window or binds it does not stay in it once it has ended. */
@Timeout(60)
class WindowAtStackEndTest {
    private static final int DOMAIN = 1;
    private static final int NUMBER = 7;
    private static final int BYTES = 64;
    // Compiled into one frame, a call would come through wherever the one that it is made from does.
    private static final int FRAMES_BEFORE = 20;

    private final Arena arena = Arena.ofShared();
    private final StagTable stags = new StagTable(4, new SplittableRandom(1)::nextInt);
    private final MemorySegment segment = arena.allocate(BYTES);
    private final Region memory = region(segment);
    private final Region window = window();
    private final Protection protection = new Protection(stags, DOMAIN, NUMBER);
    private final LocalOperations local = new LocalOperations(
            stags,
            protection,
            StreamConfig.builder()
                    .qpNumber(NUMBER)
                    .domainId(DOMAIN)
                    .maxSendWr(1)
                    .lingerNanos(0)
                    .build());
    private int inside;

    private Region region(MemorySegment of) {
        int rights = Access.mask(Access.LOCAL_WRITE, Access.MEMORY_WINDOW_BIND);
        return Objects.requireNonNull(stags.enable(of, of.address(), rights, DOMAIN));
    }

    private Region window() {
        return Objects.requireNonNull(stags.reserve(DOMAIN));
    }

    @AfterEach
    void close() {
        arena.close();
    }

    private boolean bind(int stag) {
        return local.bind(window, stag, memory.stag(), segment.address(), BYTES, 0, true)
                == LocalOperations.Outcome.DONE;
    }

    private static boolean deeper(int frames, BooleanSupplier call) {
        return frames == 0 ? call.getAsBoolean() : !deeper(frames - 1, call);
    }

    private void assertLeaves(IntPredicate call) throws InterruptedException {
        assertThat(bind(window.nextStag(5))).isTrue();
        StackEnd.Outcome outcome = StackEnd.each(() -> deeper(FRAMES_BEFORE, () -> call.test(window.stag())), () -> {
            // As a stream does at its end.
            protection.stop();
            window.revoke();
            if (!window.quiescent()) {
                inside++;
            }
            bind(window.nextStag(5));
        });

        assertThat(inside).isZero();
        assertThat(outcome.overflows()).isPositive();
        assertThat(outcome.tried()).isGreaterThan(outcome.overflows());
    }

    @RepeatedTest(3)
    void whoInvalidatesItLeavesIt() throws InterruptedException {
        assertLeaves(local::invalidate);
    }

    @RepeatedTest(3)
    void whoBindsItAnewLeavesIt() throws InterruptedException {
        assertLeaves(stag -> bind(stag ^ 1));
    }
}
