package org.panamaverbs.sockets.channel;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.ref.Cleaner;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What the implementations of {@link java.net.Socket} and {@link java.net.ServerSocket} over our channels have in
 * common: options, and waits, which end with an interrupt on a virtual thread alone. Their channels do not block: a
 * channel that does is closed by an interrupt, and a socket is not.
 */
abstract class AdaptedSocketImpl extends SocketImpl {
    /** The name of the JDK's option for urgent data, which sockets have a method for. */
    static final String URGENT_INLINE = "SO_OOBINLINE";

    private static final Map<Integer, SocketOption<?>> OPTIONS = Map.of(
            TCP_NODELAY, StandardSocketOptions.TCP_NODELAY,
            SO_LINGER, StandardSocketOptions.SO_LINGER,
            SO_SNDBUF, StandardSocketOptions.SO_SNDBUF,
            SO_RCVBUF, StandardSocketOptions.SO_RCVBUF,
            SO_KEEPALIVE, StandardSocketOptions.SO_KEEPALIVE,
            SO_REUSEADDR, StandardSocketOptions.SO_REUSEADDR,
            SO_REUSEPORT, StandardSocketOptions.SO_REUSEPORT,
            IP_TOS, StandardSocketOptions.IP_TOS);

    /** Closes channels of sockets that the program has lost, as the JDK does. */
    private static final class Lost {
        static final Cleaner CLEANER = Cleaner.create();

        private Lost() {}
    }

    /** {@code SO_TIMEOUT}. */
    volatile int timeoutMillis;

    /** What is done again after each wait. */
    interface Attempt {
        /** Tells whether it is done; false if there is more to wait for. */
        boolean succeeds() throws IOException;
    }

    /** A wait that may end early, and ends with an interrupt. */
    interface Wait {
        /** Waits for {@code nanos} at most, for ever if negative. */
        void await(long nanos) throws IOException;
    }

    /**
     * Does {@code attempt} until it succeeds, and waits in between.
     *
     * @param nanos for how long at most, for ever if negative
     * @throws SocketTimeoutException if that time has passed
     * @throws InterruptedIOException if an interrupt has ended a wait on a virtual thread
     */
    static void repeat(Attempt attempt, Wait wait, long nanos, String what) throws IOException {
        Thread self = Thread.currentThread();
        long deadline = System.nanoTime() + nanos;
        boolean interrupted = false;
        try {
            while (!attempt.succeeds()) {
                long left = nanos < 0 ? Timeouts.NEVER : deadline - System.nanoTime();
                if (nanos >= 0 && left <= 0) {
                    throw new SocketTimeoutException(what + " timed out");
                }
                if (!self.isVirtual()) {
                    interrupted |= Thread.interrupted();
                }
                wait.await(left);
                if (self.isVirtual() && self.isInterrupted()) {
                    throw new InterruptedIOException(what + " interrupted");
                }
            }
        } finally {
            if (interrupted) {
                self.interrupt();
            }
        }
    }

    /**
     * Takes {@code lock} within the {@link #timeoutMillis}; an interrupt does not end that.
     *
     * @return the nanoseconds that are left, negative for ever
     * @throws SocketTimeoutException if none are
     */
    final long locked(ReentrantLock lock, String what) throws SocketTimeoutException {
        long nanos = Timeouts.nanos(timeoutMillis);
        if (nanos < 0) {
            lock.lock();
            return nanos;
        }
        long deadline = System.nanoTime() + nanos;
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    if (!lock.tryLock(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                        throw new SocketTimeoutException(what + " timed out");
                    }
                    return Math.max(1, deadline - System.nanoTime());
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Has {@code channel} closed when the program has lost this. */
    final void closeWhenLost(NetworkChannel channel) {
        Lost.CLEANER.register(this, () -> {
            try {
                channel.close();
            } catch (IOException e) {
                // Nobody is there to hear of it.
            }
        });
    }

    /** Returns what a socket throws where its channel throws {@code failure}. */
    static SocketException failed(IOException failure) {
        if (failure instanceof SocketException told) {
            return told;
        }
        SocketException told =
                new SocketException(failure instanceof ClosedChannelException ? "Socket closed" : failure.getMessage());
        told.initCause(failure);
        return told;
    }

    /** Returns the channel; null before the socket is created. */
    abstract @Nullable NetworkChannel channel();

    final NetworkChannel open() throws SocketException {
        NetworkChannel its = channel();
        if (its == null || !its.isOpen()) {
            throw new SocketException(its == null ? "Socket not created" : "Socket closed");
        }
        return its;
    }

    void requireOpen() throws SocketException {
        open();
    }

    static void requireStream(boolean stream) throws IOException {
        if (!stream) {
            throw new IOException("Datagram socket creation not supported");
        }
    }

    /** Remembers where it is bound, as a socket tells it when it is closed, too. */
    final void boundTo(@Nullable InetSocketAddress local) {
        localport = local == null ? 0 : local.getPort();
    }

    @Override
    protected final void connect(String host, int port) throws IOException {
        connect(new InetSocketAddress(host, port), 0);
    }

    @Override
    protected final void connect(InetAddress address, int port) throws IOException {
        connect((SocketAddress) new InetSocketAddress(address, port), 0);
    }

    @Override
    protected Set<SocketOption<?>> supportedOptions() {
        Set<SocketOption<?>> options = new HashSet<>();
        NetworkChannel its = channel();
        if (its != null) {
            options.addAll(its.supportedOptions());
        }
        options.removeIf(each -> each.name().equals(URGENT_INLINE));
        return options;
    }

    final void requireSupported(SocketOption<?> option) {
        if (!supportedOptions().contains(option)) {
            throw new UnsupportedOperationException("option " + option + " is not supported; remedy: choose one of "
                    + supportedOptions().stream()
                            .map(SocketOption::name)
                            .sorted()
                            .toList());
        }
    }

    @Override
    protected <T> void setOption(SocketOption<T> option, T value) throws IOException {
        requireSupported(option);
        try {
            open().setOption(option, value);
        } catch (ClosedChannelException e) {
            throw failed(e);
        }
    }

    @Override
    protected <T> T getOption(SocketOption<T> option) throws IOException {
        requireSupported(option);
        try {
            return open().getOption(option);
        } catch (ClosedChannelException e) {
            throw failed(e);
        }
    }

    /** Returns the option with a number of {@link java.net.SocketOptions}. */
    private static SocketOption<?> numbered(int number) throws SocketException {
        SocketOption<?> option = OPTIONS.get(number);
        if (option == null) {
            throw new SocketException("Unknown option " + number);
        }
        return option;
    }

    @Override
    public void setOption(int number, Object value) throws SocketException {
        requireOpen();
        if (number == SO_TIMEOUT) {
            if (!(value instanceof Integer millis)) {
                throw new SocketException("Bad value for SO_TIMEOUT");
            }
            timeoutMillis = Timeouts.checked(millis);
            return;
        }
        set(numbered(number), number == SO_LINGER && Boolean.FALSE.equals(value) ? Integer.valueOf(-1) : value);
    }

    private <T> void set(SocketOption<T> option, Object value) throws SocketException {
        if (!option.type().isInstance(value)) {
            throw new SocketException("Bad value for " + option.name());
        }
        try {
            setOption(option, option.type().cast(value));
        } catch (IOException e) {
            throw failed(e);
        } catch (IllegalArgumentException | UnsupportedOperationException e) {
            throw (SocketException) new SocketException(e.getMessage()).initCause(e);
        }
    }

    @Override
    public Object getOption(int number) throws SocketException {
        requireOpen();
        if (number == SO_TIMEOUT) {
            return timeoutMillis;
        }
        try {
            Object value = getOption(numbered(number));
            return number == SO_LINGER && value.equals(-1) ? false : value;
        } catch (IOException e) {
            throw failed(e);
        } catch (UnsupportedOperationException e) {
            throw (SocketException) new SocketException(e.getMessage()).initCause(e);
        }
    }
}
