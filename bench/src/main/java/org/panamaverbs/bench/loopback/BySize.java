package org.panamaverbs.bench.loopback;

import org.openjdk.jmh.annotations.Param;
import org.panamaverbs.bench.loopback.exchange.Link;

/** What benchmarks of messages share: the size, and the CRC. */
public abstract class BySize extends ExchangeBenchmark {
    /** Bytes of payload of a message. */
    @Param({"8", "64", "4096", "32768", "262144", "1048576"})
    public int size;

    /** The option {@code crc} of both sides. */
    @Param({"on", "off"})
    public String crc = Link.CRC_ON;
}
