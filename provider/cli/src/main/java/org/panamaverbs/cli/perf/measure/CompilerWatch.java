package org.panamaverbs.cli.perf.measure;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.cli.perf.compiler.Compilers;
import org.panamaverbs.spi.support.Waits;

/**
 * Waits on a thread of its own for a second in which the compilers of this virtual machine are idle, and ends with it,
 * so that it takes nothing from what is measured then.
 */
final class CompilerWatch implements AutoCloseable {
    private static final long LOOK_MILLIS = 100;

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Runnable idle;
    private final Duration limit;
    private final Thread thread;

    /** Begins; runs {@code idle} at the end of such a second, unless none comes within {@code limit}. */
    CompilerWatch(Runnable idle, Duration limit) {
        this.idle = idle;
        this.limit = limit;
        thread = Thread.ofPlatform().daemon().name("perf-compiler-watch").start(this::run);
    }

    private void run() {
        Compilers compilers = Compilers.ofThisVirtualMachine();
        long begun = System.nanoTime();
        try {
            do {
                if (compilers.idleForASecond()) {
                    idle.run();
                    return;
                }
            } while (!closed.await(LOOK_MILLIS, TimeUnit.MILLISECONDS) && System.nanoTime() - begun < limit.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // and it ends
        }
    }

    /** Ends the thread: when this returns {@code idle} has run or never will. */
    @Override
    public void close() {
        closed.countDown();
        Waits.awaitEnd(thread);
    }
}
