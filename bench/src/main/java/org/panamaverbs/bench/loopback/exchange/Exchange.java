package org.panamaverbs.bench.loopback.exchange;

import java.io.IOException;

/** Two connected sides that do the same thing again and again. */
public interface Exchange extends AutoCloseable {
    /** Does the exchange once, on the thread that is measured; allocates nothing once it runs. */
    void run() throws IOException;

    @Override
    void close() throws IOException;
}
