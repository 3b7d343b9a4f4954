package org.panamaverbs.sockets.stream;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.memory.Resources;

/** An open device with what all its streams have in common: a protection domain, and the thread that drives them. */
public final class StreamDevice implements AutoCloseable {
    /** How long a system of TCP tries to connect. */
    public static final long CONNECT_SECONDS = 127;

    /** How long {@link #close} waits for streams that are being ended, which is longer than one takes. */
    private static final long END_SECONDS = 30;

    private final Verbs verbs;
    private final ProtectionDomain domain;
    private final Driver driver;

    /** The device itself, if it is closed with this. */
    private final Resources all;

    /**
     * Starts the thread that drives the streams of an open device.
     *
     * @param owned whether {@link #close} closes the device, too
     * @param spinNanos how long a wait polls before it sleeps
     * @throws UnsupportedOperationException if the provider has no event queues
     */
    public StreamDevice(Verbs verbs, boolean owned, long spinNanos) {
        this.verbs = verbs;
        try (Resources scope = new Resources()) {
            if (owned) {
                scope.add(verbs);
            }
            domain = scope.add(verbs.protectionDomain());
            driver = scope.add(new Driver(verbs, spinNanos));
            all = scope.handOver();
        }
    }

    /** Returns the device. */
    public Verbs verbs() {
        return verbs;
    }

    /** Returns what tells its streams and listeners of what happens. */
    public Driver driver() {
        return driver;
    }

    /**
     * Begins to connect to {@code address}, which is resolved.
     *
     * @param local from where, null for any
     * @param seconds how long it may take
     * @return the stream, whose {@link RdmaStream#isSetUp} says when that has ended
     * @throws IOException if it cannot be begun
     */
    public RdmaStream connect(
            InetSocketAddress address, @Nullable InetSocketAddress local, StreamSizes sizes, long seconds)
            throws IOException {
        try (Resources scope = new Resources()) {
            StreamParts parts = scope.add(new StreamParts(verbs, domain, sizes));
            RdmaStream stream = new RdmaStream(driver, parts, false);
            ConnectionConfig config = parts.request();
            if (local != null) {
                config = config.withLocalAddress(local);
            }
            stream.begun(verbs.beginConnect(address, parts.queuePair, config, Deadline.in(seconds, TimeUnit.SECONDS)));
            scope.handOver();
            return stream;
        } catch (RuntimeException e) {
            throw ConnectFailures.of(e);
        }
    }

    /**
     * Listens at {@code address}.
     *
     * @param config with the number of streams that may wait to be accepted
     * @param sizes of the streams that are accepted
     * @throws IOException if the address cannot be bound
     */
    public StreamListener listen(InetSocketAddress address, ListenerConfig config, StreamSizes sizes)
            throws IOException {
        try {
            return new StreamListener(verbs, domain, driver, address, config, sizes);
        } catch (RuntimeException e) {
            throw ConnectFailures.binding(e);
        }
    }

    /** Waits until what was closed before has ended; a stream that is closed after this waits for its end by itself. */
    public void awaitEnds() {
        driver.awaitEnds(Deadline.in(END_SECONDS, TimeUnit.SECONDS));
    }

    /**
     * Waits until what was closed before has ended, then closes what is in common.
     *
     * @throws IllegalStateException naming what is still open; then nothing is closed
     */
    @Override
    public void close() {
        boolean closed = false;
        try {
            awaitEnds();
            // First what refuses, so that the streams that are open keep the thread that they need.
            driver.requireNoListeners();
            domain.close();
            all.close();
            closed = true;
        } finally {
            if (!closed) {
                driver.goOn();
            }
        }
    }
}
