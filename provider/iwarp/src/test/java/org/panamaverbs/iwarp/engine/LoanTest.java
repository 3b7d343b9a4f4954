package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.iwarp.net.Sockets;

/** The event loop, lent to a thread that waits. */
@Timeout(60)
class LoanTest {
    private final EventLoop loop = EventLoop.start(Sockets.best());

    @AfterEach
    void close() {
        loop.close();
    }

    /** Returns which thread runs a task; {@code turns} has the calling one be the loop meanwhile. */
    private Thread whoRuns(boolean turns) throws Exception {
        CompletableFuture<Thread> runs = new CompletableFuture<>();
        loop.execute(() -> runs.complete(Thread.currentThread()));
        if (turns) {
            loop.turn(0);
        }
        return runs.get(20, TimeUnit.SECONDS);
    }

    @Test
    void itsOwnThreadSleepsWhileItIsLentAndComesBack() throws Exception {
        Thread own = whoRuns(false);
        // On a busy machine it may not let go in time.
        Raw.await("that it is lent", loop::take);
        assertThat(loop.isCurrent()).isTrue();
        Raw.await("that its own thread sleeps for good", () -> own.getState() == Thread.State.WAITING);
        assertThat(whoRuns(true)).isSameAs(Thread.currentThread());
        loop.giveBack();

        assertThat(loop.isCurrent()).isFalse();
        assertThat(whoRuns(false)).isSameAs(own);
    }

    @Test
    void isLentToOneAtATime() throws Exception {
        Raw.await("that it is lent", loop::take);
        try {
            assertThat(loop.take()).as("twice").isFalse();
            assertThat(Background.start(loop::take).get()).isFalse();
        } finally {
            loop.giveBack();
        }
    }

    @Test
    void isNotLentToVirtualThreadsWhoseCarrierItWouldKeep() throws Exception {
        CompletableFuture<Boolean> taken = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> taken.complete(loop.take()));
        assertThat(taken.get(20, TimeUnit.SECONDS)).isFalse();
    }
}
