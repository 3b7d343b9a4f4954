package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.iwarp.engine.device.EventLoop;
import org.panamaverbs.iwarp.net.SystemSockets;

/** What was withheld is sent by the event loop. */
@Timeout(60)
class WithheldDoorbellsTest {
    private final EventLoop loop = EventLoop.start(SystemSockets.best());
    private final Doorbells.Withheld withheld = new Doorbells.Withheld(loop);

    @AfterEach
    void close() {
        loop.close();
    }

    private CompletableFuture<Long> enter() {
        CompletableFuture<Long> sent = new CompletableFuture<>();
        withheld.add(new Doorbells(sent::complete), System.nanoTime());
        return sent;
    }

    @Test
    void eachStreamThatWasEnteredIsSentAndThoseBehindToo() {
        for (int i = 0; i < 3; i++) {
            CompletableFuture<Long> first = enter();
            CompletableFuture<Long> second = enter();

            assertThat(first).succeedsWithin(10, TimeUnit.SECONDS);
            assertThat(second).succeedsWithin(10, TimeUnit.SECONDS);
        }
    }
}
