package org.panamaverbs.bench.loopback.exchange;

import java.util.concurrent.CompletableFuture;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.memory.Resources;

/**
 * Two sides with connections between them. Of the memory of each, the first half is where it sends from and the second
 * where it receives, unless an exchange says otherwise.
 */
public final class Link implements AutoCloseable {
    /** What {@code crc} is where nothing else is said: the provider's default. */
    public static final String CRC_ON = "on";

    private final Side here;
    private final Side there;

    private Link(Side here, Side there) {
        this.here = here;
        this.there = there;
    }

    /** Connects two sides of {@code bytes} each once, over TCP, for threads that spin. */
    public static Link connect(long bytes, String crc) {
        return connect(bytes, overTcp(crc));
    }

    /** Connects two sides of {@code bytes} each once. */
    static Link connect(long bytes, OpenConfig config) {
        return connect(config, 1, Side.DEPTH, 2 * Side.DEPTH, bytes);
    }

    /** Returns the options of a connection over TCP between threads that spin. */
    public static OpenConfig overTcp(String crc) {
        return OpenConfig.provider("iwarp")
                .with("shm", "off")
                .with("progress", "spin")
                .with("crc", crc);
    }

    /** Connects two sides of {@code bytes} each {@code connections} times. */
    public static Link connect(OpenConfig config, int connections, int depth, int completionCapacity, long bytes) {
        Link link =
                new Link(Side.open(config, completionCapacity, bytes), Side.open(config, completionCapacity, bytes));
        try {
            link.connect(connections, depth);
            return link;
        } catch (RuntimeException e) {
            link.closeAfter(e);
            throw e;
        }
    }

    private void connect(int connections, int depth) {
        try (Listener listener = there.listen()) {
            for (int i = 0; i < connections; i++) {
                CompletableFuture<QueuePair> accepting =
                        CompletableFuture.supplyAsync(() -> there.accept(listener, there.queuePairs(depth)));
                here.connect(listener.localAddress().getPort(), here.queuePairs(depth));
                accepting.join();
            }
        }
    }

    private void closeAfter(RuntimeException e) {
        try {
            close();
        } catch (RuntimeException more) {
            e.addSuppressed(more);
        }
    }

    /** The side that is measured. */
    public Side here() {
        return here;
    }

    public Side there() {
        return there;
    }

    @Override
    public void close() {
        Resources all = new Resources();
        all.add(there);
        all.add(here);
        all.close();
    }
}
