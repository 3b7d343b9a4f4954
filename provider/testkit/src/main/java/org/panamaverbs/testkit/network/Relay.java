package org.panamaverbs.testkit.network;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A TCP relay between one client and a listener. Each direction has a pace and can be cut at some byte; what goes to
 * the listener can be held for a while, and both directions can be ended. It holds few bytes itself: what is not
 * through is still in the sender's TCP. It ends by itself when both directions have ended. Any thread.
 */
public final class Relay implements AutoCloseable {
    private static final int BUFFER_BYTES = 16 * 1024;
    private static final int PIECES_PER_SECOND = 100;
    private static final int UNEVEN_BYTES = 3000;
    private static final int UNEVEN_NANOS = 500_000;

    /** What becomes of a direction at a byte. */
    public enum Cut {
        /** Nothing: all bytes come through. */
        NONE,
        /** The connection is reset at both ends. */
        RESET,
        /** Nothing comes through any more, and nobody is told. */
        STALL,
        /** The direction ends with a FIN that its sender did not send; the other one goes on. */
        FIN
    }

    /** How fast one direction carries its bytes; the thread that carries them asks. */
    public interface Pace {
        /** Returns how many bytes the next piece has at most. */
        int pieceBytes();

        /** Returns how long a piece of {@code bytes} is on its way. */
        long nanos(int bytes);

        /** Returns a pace of so many bytes a second; each piece is on its way for {@code delayNanos} beside. */
        static Pace rate(long octetsPerSecond, long delayNanos) {
            int piece = Math.clamp(octetsPerSecond / PIECES_PER_SECOND, 1, BUFFER_BYTES);
            return new Pace() {
                @Override
                public int pieceBytes() {
                    return piece;
                }

                @Override
                public long nanos(int bytes) {
                    return delayNanos + TimeUnit.SECONDS.toNanos(bytes) / octetsPerSecond;
                }
            };
        }

        /** Returns a pace without delay, in pieces of at most {@code bytes}. */
        static Pace pieces(int bytes) {
            return new Pace() {
                @Override
                public int pieceBytes() {
                    return bytes;
                }

                @Override
                public long nanos(int carried) {
                    return 0;
                }
            };
        }

        /** Returns a pace in pieces of any size, which now and then lets some time pass with bytes in its hands. */
        static Pace uneven(SplittableRandom random) {
            return new Pace() {
                @Override
                public int pieceBytes() {
                    return 1 + random.nextInt(UNEVEN_BYTES);
                }

                @Override
                public long nanos(int bytes) {
                    return random.nextInt(4) == 0 ? random.nextInt(UNEVEN_NANOS) : 0;
                }
            };
        }
    }

    /**
     * What one direction is like.
     *
     * @param pace how fast it is
     * @param cut what happens at {@code cutAt}
     * @param cutAt the byte, counted from the first of the set-up
     */
    public record Way(Pace pace, Cut cut, long cutAt) {
        /** Returns a direction that nothing cuts. */
        public static Way at(Pace pace) {
            return new Way(pace, Cut.NONE, Long.MAX_VALUE);
        }

        /** Returns a direction with a rate. */
        public static Way slow(long octetsPerSecond) {
            return at(Pace.rate(octetsPerSecond, 0));
        }

        /** Returns a direction that carries what it gets. */
        public static Way quick() {
            return at(Pace.pieces(BUFFER_BYTES));
        }
    }

    private final ServerSocket server;
    private final InetSocketAddress address;
    private final List<Socket> ends = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // Guarded by lock, as the lists and what is held.
    private boolean holding;
    private boolean ended;
    private boolean closed;
    private int endedWays;

    /** Opens a relay to {@code target}: {@code forth} leads there, {@code back} from there. */
    public Relay(InetSocketAddress target, Way forth, Way back) throws IOException {
        server = new ServerSocket();
        server.setReceiveBufferSize(BUFFER_BYTES);
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        address = (InetSocketAddress) server.getLocalSocketAddress();
        start(() -> {
            Socket near;
            try (server) {
                near = end(server.accept());
            }
            Socket far = end(new Socket());
            far.setReceiveBufferSize(BUFFER_BYTES);
            far.connect(target);
            start(() -> carry(near, far, forth, true));
            start(() -> carry(far, near, back, false));
        });
    }

    private interface Work {
        void run() throws IOException;
    }

    private void start(Work work) {
        Thread thread = Thread.ofPlatform().daemon().name("test-relay").unstarted(() -> {
            try {
                work.run();
            } catch (IOException e) {
                // One of its ends is gone. Where both were told of an end before, a reset could overtake that.
                if (!isEnded()) {
                    reset();
                }
            }
        });
        lock.lock();
        try {
            threads.add(thread);
            thread.start();
        } finally {
            lock.unlock();
        }
    }

    private Socket end(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSendBufferSize(BUFFER_BYTES);
        lock.lock();
        try {
            if (closed) {
                socket.close();
            }
            ends.add(socket);
        } finally {
            lock.unlock();
        }
        return socket;
    }

    private void carry(Socket from, Socket to, Way way, boolean mayHold) throws IOException {
        byte[] octets = new byte[BUFFER_BYTES];
        long carried = 0;
        while (true) {
            int most = Math.min(way.pace().pieceBytes(), octets.length);
            int wanted = (int) Math.min(most, way.cutAt() - carried);
            if (wanted == 0) {
                if (way.cut() == Cut.RESET) {
                    reset();
                } else if (way.cut() == Cut.FIN) {
                    to.shutdownOutput();
                    wayEnded();
                }
                return;
            }
            int some = from.getInputStream().read(octets, 0, wanted);
            if (some < 0) {
                to.shutdownOutput();
                wayEnded();
                return;
            }
            carried += some;
            if (mayHold && isHeld(octets, some)) {
                continue;
            }
            pass(way.pace().nanos(some));
            to.getOutputStream().write(octets, 0, some);
        }
    }

    private boolean isHeld(byte[] octets, int some) {
        lock.lock();
        try {
            if (holding) {
                held.write(octets, 0, some);
            }
            return holding;
        } finally {
            lock.unlock();
        }
    }

    /** Lets {@code nanos} pass, or the time until this is closed. */
    private void pass(long nanos) {
        lock.lock();
        try {
            for (long left = nanos; left > 0 && !closed; ) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** Closes both ends if both directions have ended. */
    private void wayEnded() throws IOException {
        lock.lock();
        try {
            endedWays++;
            if (endedWays == 2) {
                for (Socket end : ends) {
                    end.close();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean isEnded() {
        lock.lock();
        try {
            return ended;
        } finally {
            lock.unlock();
        }
    }

    /** Returns where the client connects to. */
    public InetSocketAddress address() {
        return address;
    }

    /** Holds what goes to the listener from now on, until {@link #release}. */
    public void hold() {
        lock.lock();
        try {
            holding = true;
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many bytes are held. */
    public int heldBytes() {
        lock.lock();
        try {
            return held.size();
        } finally {
            lock.unlock();
        }
    }

    /** Passes what was held on to the listener in one piece, and what comes later as before. */
    public void release() throws IOException {
        lock.lock();
        try {
            holding = false;
            ends.getLast().getOutputStream().write(held.toByteArray());
            held.reset();
        } finally {
            lock.unlock();
        }
    }

    /** Ends both directions for both sides, as if the other one had: with a FIN, and without a reset. */
    public void endBoth() throws IOException {
        lock.lock();
        try {
            ended = true;
            for (Socket end : ends) {
                end.shutdownOutput();
            }
        } finally {
            lock.unlock();
        }
    }

    private void reset() {
        lock.lock();
        try {
            ends.forEach(Relay::reset);
        } finally {
            lock.unlock();
        }
    }

    private static void reset(Socket end) {
        // try-with-resources closes also what is broken already.
        try (end) {
            end.setSoLinger(true, 0);
        } catch (IOException e) {
            System.getLogger(Relay.class.getName()).log(System.Logger.Level.DEBUG, "was closed before", e);
        }
    }

    /** Resets what is connected and waits until nothing of it runs any more. */
    @Override
    public void close() throws IOException {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        server.close();
        reset();
        for (Thread thread : started()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private List<Thread> started() {
        lock.lock();
        try {
            return List.copyOf(threads);
        } finally {
            lock.unlock();
        }
    }
}
