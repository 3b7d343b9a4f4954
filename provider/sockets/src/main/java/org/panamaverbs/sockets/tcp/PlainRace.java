package org.panamaverbs.sockets.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A second attempt to connect, over plain TCP, which begins when the request of the first one, over RDMA, was not
 * answered for a while. TCP's own handshake is answered by the peer's kernel, so that it tells how long the network
 * takes. RDMA is given up when it had the patience and twice that time, and not the beginning of an answer has come: a
 * peer that speaks RDMA begins its answer before its program accepts, and may take its time for the rest.
 */
public final class PlainRace implements Runnable {
    /** How long plain TCP is tried. */
    private static final int CONNECT_MILLIS = 5_000;

    /** When RDMA is given up where plain TCP fails, too: the attempt that follows says why. */
    private static final long ATTEMPT_NANOS = TimeUnit.MILLISECONDS.toNanos(CONNECT_MILLIS);

    /** When is looked first whether the request was sent; then after twice that time, and so on. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** How much longer the peer has for each nanosecond that this thread was woken late: a busy host may be its own. */
    private static final int LATE_FACTOR = 4;

    /** The attempt over RDMA, and who wants to be connected. */
    public interface Course {
        /** Tells whether the attempt over RDMA has not ended. */
        boolean isPending();

        /** Returns how long the peer has been silent, 0 if it speaks RDMA, negative before it was asked. */
        long silentNanos();

        /** Tells whether somebody on this host says that the peer speaks RDMA, as any program can. */
        boolean isAnnounced();

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
    private final long askedNanos;
    private final long begun = System.nanoTime();
    /** How much later than asked for this thread was woken. */
    private long lateNanos;

    private final Thread thread = Thread.ofVirtual().name("rsockets-race").unstarted(this);

    /**
     * Creates the race, whose time begins now.
     *
     * @param patienceNanos how long a peer that was asked may be silent
     * @param most how long all may take, 0 for as long as it takes: RDMA has half of it to ask the peer
     */
    public PlainRace(Course course, InetSocketAddress address, long patienceNanos, long most) {
        this.course = course;
        this.address = address;
        this.patienceNanos = patienceNanos;
        askedNanos = most > 0 ? Math.min(ATTEMPT_NANOS, most / 2) : ATTEMPT_NANOS;
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
        if (!awaitSilence(patienceNanos)) {
            return;
        }
        try (Runner runner = new Runner()) {
            long roundTripNanos = runner.connect();
            if (awaitSilence(patienceNanos + 2 * roundTripNanos)) {
                course.giveUp(runner.handOver(), why());
            }
        } catch (IOException e) {
            // Plain TCP has no better luck, so far.
            afterFailure();
        }
    }

    private void afterFailure() {
        try {
            if (awaitSilence(Math.max(patienceNanos, ATTEMPT_NANOS))) {
                course.giveUp(null, why());
            }
        } catch (IOException e) {
            // RDMA's attempt goes on, and says at its end what is wrong.
        }
    }

    private String why() {
        long silent = course.silentNanos();
        long nanos = silent < 0 ? System.nanoTime() - begun : silent;
        return "no answer within " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms"
                + (course.isAnnounced()
                        ? ", though a process on this host announces a listener there (see /proc/net/unix)"
                        : "");
    }

    /**
     * Waits until the peer has been silent for {@code nanos}, or was not even asked in the time for that; false if the
     * attempt over RDMA has ended, or the peer speaks RDMA.
     */
    private boolean awaitSilence(long nanos) {
        while (course.isPending()) {
            long silent = course.silentNanos();
            if (silent == 0) {
                return false;
            }
            long wanted = nanos + LATE_FACTOR * lateNanos;
            long now = System.nanoTime();
            long passed = now - begun;
            if (silent >= wanted || (silent < 0 && passed >= askedNanos)) {
                return true;
            }
            long left = silent > 0
                    ? wanted - silent
                    : Math.min(askedNanos - passed, Math.max(passed, Math.min(LOOK_NANOS, wanted)));
            LockSupport.parkNanos(left);
            if (silent > 0 && silent < nanos) {
                lateNanos += Math.max(0, System.nanoTime() - now - left); // not of the time that is added for it
            }
        }
        return false;
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
