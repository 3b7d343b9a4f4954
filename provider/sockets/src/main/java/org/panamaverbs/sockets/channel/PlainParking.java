package org.panamaverbs.sockets.channel;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * Waits for a channel of the JDK's that does not block, without a selector: as the JDK's own sockets do, an interrupt
 * ends them on a virtual thread alone. Who closes such a channel has them end first, since they hold its descriptor.
 */
public final class PlainParking {
    private static final String CHANNELS = "sun.nio.ch.SelChImpl";

    /** What is being connected cannot be shut down to end a wait: that looks now and then whether it is closed. */
    private static final long CONNECTING_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** The methods of the JDK's channels. */
    private static final class Methods {
        static final MethodHandle PARK;
        static final MethodHandle EVENTS;

        static {
            try {
                Class<?> type = Class.forName(CHANNELS);
                MethodHandles.Lookup lookup = MethodHandles.lookup();
                MethodType parking = MethodType.methodType(void.class, int.class, long.class);
                PARK = lookup.findVirtual(type, "park", parking)
                        .asType(parking.insertParameterTypes(0, SocketChannel.class));
                MethodType translating = MethodType.methodType(int.class, int.class);
                EVENTS = lookup.findVirtual(type, "translateInterestOps", translating)
                        .asType(translating.insertParameterTypes(0, SocketChannel.class));
            } catch (ReflectiveOperationException e) {
                throw new LinkageError(e.getMessage(), e);
            }
        }

        private Methods() {}
    }

    // Guarded by this.

    private int parked;

    /** How many of them wait for room. */
    private int writing;

    private boolean closed;

    PlainParking() {}

    /**
     * Checks that there is access to the JDK's channels.
     *
     * @throws IllegalStateException if there is none, with the flag that gives it
     */
    public static void requireAccess() {
        try {
            MethodHandles.lookup().ensureInitialized(Methods.class);
        } catch (IllegalAccessException | LinkageError e) {
            Module module = PlainParking.class.getModule();
            throw new IllegalStateException(
                    "the JDK's channels are not available (" + e.getMessage() + "); remedy: start java with"
                            + " --add-exports java.base/sun.nio.ch="
                            + (module.isNamed() ? module.getName() : "ALL-UNNAMED"),
                    e);
        }
    }

    /** Waits until {@code channel} may be ready, for {@code nanos} at most, for ever if negative. May return early. */
    void park(SocketChannel channel, int interest, long nanos) throws IOException {
        long most = interest == SelectionKey.OP_CONNECT && (nanos < 0 || nanos > CONNECTING_NANOS)
                ? CONNECTING_NANOS
                : Math.max(0, nanos);
        int writes = (interest & SelectionKey.OP_WRITE) == 0 ? 0 : 1;
        synchronized (this) {
            if (closed) {
                return;
            }
            parked++;
            writing += writes;
        }
        try {
            Methods.PARK.invokeExact(channel, (int) Methods.EVENTS.invokeExact(channel, interest), most);
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        } finally {
            synchronized (this) {
                parked--;
                writing -= writes;
                notifyAll();
            }
        }
    }

    /** Closes {@code channel}, when nobody waits for it any more. */
    void close(SocketChannel channel) throws IOException {
        boolean interrupted = false;
        synchronized (this) {
            closed = true;
            if (parked > 0 && channel.isConnected()) {
                shutDown(channel);
            }
            while (parked > 0) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        channel.close();
    }

    /**
     * Ends the waits. What is to be reset sends no end before, unless a writer waits, behind whose data the end stays.
     */
    private void shutDown(SocketChannel channel) throws IOException {
        try {
            channel.shutdownInput();
            if (writing > 0 || channel.getOption(StandardSocketOptions.SO_LINGER) != 0) {
                channel.shutdownOutput();
            }
        } catch (java.net.SocketException e) {
            // The connection has ended, and so does the wait.
        }
    }
}
