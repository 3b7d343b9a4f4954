package org.panamaverbs.sockets.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A second attempt to connect, over plain TCP, which begins when the first one, over RDMA, was not answered for a
 * while. TCP's own handshake is answered by the peer's kernel, so that it tells how long the network takes. RDMA is
 * given up when it had the patience and twice that time: its own handshake and its request go there and back.
 */
public final class PlainRace implements Runnable {
    /** How long plain TCP is tried: as long as RDMA is. */
    private static final int CONNECT_MILLIS = 5_000;

    /** How much longer the peer has for each nanosecond that this thread was woken late: a busy host may be its own. */
    private static final int LATE_FACTOR = 4;

    /** The attempt over RDMA, and who wants to be connected. */
    public interface Course {
        /** Tells whether the attempt over RDMA has not ended. */
        boolean isPending();

        /** Opens a channel of the JDK's; null if there can be none as long as the attempt over RDMA goes on. */
        @Nullable
        SocketChannel open() throws IOException;

        /**
         * Gives up RDMA if its attempt has not ended.
         *
         * @param connected a channel that is connected, whose owner is this from now on; null if there is none yet
         */
        void giveUp(@Nullable SocketChannel connected, String why) throws IOException;
    }

    private final Course course;
    private final InetSocketAddress address;
    private final long patienceNanos;
    private final Thread thread = Thread.ofVirtual().name("rsockets-race").unstarted(this);

    public PlainRace(Course course, InetSocketAddress address, long patienceNanos) {
        this.course = course;
        this.address = address;
        this.patienceNanos = patienceNanos;
    }

    /** Begins the wait on a thread of its own. */
    public void start() {
        thread.start();
    }

    /** Has the thread look whether the attempt over RDMA has ended, so that it does not outlive it. */
    public void look() {
        LockSupport.unpark(thread);
    }

    @Override
    public void run() {
        long begun = System.nanoTime();
        await(begun, patienceNanos);
        long lateNanos = System.nanoTime() - begun - patienceNanos;
        await(begun, patienceNanos + LATE_FACTOR * lateNanos);
        if (!course.isPending()) {
            return;
        }
        try (Runner runner = new Runner()) {
            long roundTripNanos = runner.connect();
            await(begun, patienceNanos + LATE_FACTOR * lateNanos + 2 * roundTripNanos);
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
            course.giveUp(runner.handOver(), "no answer within " + millis + " ms");
        } catch (IOException e) {
            // Plain TCP has no better luck: RDMA's attempt goes on, and says at its end what is wrong.
        }
    }

    /** Waits until {@code nanos} after {@code begun}, or the attempt over RDMA has ended. */
    private void await(long begun, long nanos) {
        long left;
        while (course.isPending() && (left = begun + nanos - System.nanoTime()) > 0) {
            LockSupport.parkNanos(left);
        }
    }

    /** The channel of the second attempt, closed unless it is handed over. */
    private final class Runner implements AutoCloseable {
        private @Nullable SocketChannel channel;

        /** Connects, and returns how long that took. */
        long connect() throws IOException {
            SocketChannel its = course.open();
            channel = its;
            long begun = System.nanoTime();
            if (its != null) {
                its.socket().connect(address, CONNECT_MILLIS);
            }
            return System.nanoTime() - begun;
        }

        @Nullable
        SocketChannel handOver() {
            SocketChannel its = channel;
            channel = null;
            return its;
        }

        @Override
        public void close() throws IOException {
            if (channel != null) {
                channel.close();
            }
        }
    }
}
