package org.panamaverbs.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A TCP relay between one client and a listener with a rate and a delay, which can be cut at some octet of one
 * direction. It holds few octets itself: what is not through is still in the sender's TCP. Any thread.
 */
public final class SlowLink implements AutoCloseable {
    private static final int BUFFER_BYTES = 16 * 1024;
    private static final int PIECES_PER_SECOND = 100;

    /** What becomes of a direction at an octet. */
    public enum Cut {
        /** Nothing: all octets come through. */
        NONE,
        /** The connection is reset at both ends. */
        RESET,
        /** Nothing comes through any more, and nobody is told. */
        STALL
    }

    /**
     * How one direction is.
     *
     * @param octetsPerSecond the rate
     * @param delayNanos how long each piece is on its way beside
     * @param cut what happens at {@code cutAt}
     * @param cutAt the octet, counted from the first of the set-up
     */
    public record Way(long octetsPerSecond, long delayNanos, Cut cut, long cutAt) {
        /** Returns one with a rate alone. */
        public static Way slow(long octetsPerSecond) {
            return new Way(octetsPerSecond, 0, Cut.NONE, Long.MAX_VALUE);
        }

        /** Returns one that carries what it gets. */
        public static Way quick() {
            return slow(1L << 32);
        }
    }

    private final ServerSocket server;
    private final List<Socket> ends = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // Guarded by lock.
    private boolean closed;

    /** Opens one to {@code target}: {@code forth} towards it, {@code back} from it. */
    public SlowLink(InetSocketAddress target, Way forth, Way back) throws IOException {
        server = new ServerSocket();
        server.setReceiveBufferSize(BUFFER_BYTES);
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        start(() -> {
            Socket near = end(server.accept());
            Socket far = new Socket();
            far.setReceiveBufferSize(BUFFER_BYTES);
            far.connect(target);
            end(far);
            start(() -> carry(near, far, forth));
            start(() -> carry(far, near, back));
        });
    }

    private interface Work {
        void run() throws IOException;
    }

    private void start(Work work) {
        Thread thread = Thread.ofPlatform().daemon().name("slow-link").unstarted(() -> {
            try {
                work.run();
            } catch (IOException e) {
                reset();
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

    private void carry(Socket from, Socket to, Way way) throws IOException {
        int piece = Math.clamp(way.octetsPerSecond() / PIECES_PER_SECOND, 1, BUFFER_BYTES);
        byte[] octets = new byte[piece];
        long carried = 0;
        while (true) {
            int wanted = (int) Math.min(piece, way.cutAt() - carried);
            if (wanted == 0 && !isCut(way.cut())) {
                return;
            }
            int some = from.getInputStream().read(octets, 0, wanted);
            if (some < 0) {
                to.shutdownOutput();
                return;
            }
            pass(way.delayNanos() + TimeUnit.SECONDS.toNanos(some) / way.octetsPerSecond());
            to.getOutputStream().write(octets, 0, some);
            carried += some;
        }
    }

    /** Returns false: the direction carries nothing more. */
    private boolean isCut(Cut cut) {
        if (cut == Cut.RESET) {
            reset();
        }
        return false;
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

    /** Returns where the client connects to. */
    public InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    private void reset() {
        lock.lock();
        try {
            for (Socket end : ends) {
                end.setSoLinger(true, 0);
                end.close();
            }
        } catch (IOException e) {
            System.getLogger(SlowLink.class.getName()).log(System.Logger.Level.DEBUG, "was closed before", e);
        } finally {
            lock.unlock();
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
