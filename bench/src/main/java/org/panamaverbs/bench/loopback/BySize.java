package org.panamaverbs.bench.loopback;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.panamaverbs.bench.loopback.exchange.Exchange;
import org.panamaverbs.bench.loopback.exchange.Link;

/** What benchmarks of messages share: the size, the CRC, and the exchange that the one that runs has opened. */
@State(Scope.Benchmark)
public abstract class BySize {
    /** Octets of payload of a message. */
    @Param({"8", "64", "4096", "32768", "262144", "1048576"})
    public int size;

    /** The option {@code crc} of both sides. */
    @Param({"on", "off"})
    public String crc = Link.CRC_ON;

    private @Nullable Exchange exchange;

    /** For subclasses. */
    protected BySize() {}

    /** Makes an exchange of the parameters. */
    @FunctionalInterface
    interface Opening {
        Exchange open(int size, String crc) throws IOException;
    }

    /** Makes an exchange that has no CRC. */
    @FunctionalInterface
    interface PlainOpening {
        Exchange open(int size) throws IOException;
    }

    /** Does once what {@code opening} makes at the first call, which is one of the warm-up. */
    final void run(Opening opening) throws IOException {
        Exchange running = exchange;
        (running == null ? remember(opening.open(size, crc)) : running).run();
    }

    /** The same for an exchange that has no CRC. */
    final void runPlain(PlainOpening opening) throws IOException {
        Exchange running = exchange;
        (running == null ? remember(opening.open(size)) : running).run();
    }

    private Exchange remember(Exchange opened) {
        exchange = opened;
        return opened;
    }

    /** Ends both sides. */
    @TearDown
    public void close() throws IOException {
        Exchange opened = exchange;
        exchange = null;
        if (opened != null) {
            opened.close();
        }
    }
}
