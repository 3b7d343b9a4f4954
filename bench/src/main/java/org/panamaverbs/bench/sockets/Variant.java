package org.panamaverbs.bench.sockets;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.panamaverbs.bench.loopback.exchange.SidePair;

/** Whose sockets, and how they are set. */
enum Variant {
    /** The JDK's, over the system's TCP. */
    JDK("the JDK's"),
    /** Ours as they come: on one host by shared memory. */
    OURS("ours"),
    /** Ours, which sleep at once when there is nothing. */
    OURS_SLEEPING("ours, spin 0", "-Dverbs.sockets.spin=0"),
    /** Ours, which poll for a millisecond before they sleep. */
    OURS_SPINNING("ours, spin 1000", "-Dverbs.sockets.spin=1000"),
    /** Ours as between hosts: iWARP over TCP. */
    OURS_BY_TCP("ours, iWARP over TCP", "-Dverbs.iwarp.shm=off");

    // Since this release Java says something about sun.misc.Unsafe unless told not to.
    private static final int UNSAFE_OPTION_SINCE = 23;
    private final String title;
    /** What the virtual machine is told beyond what all of ours are; empty for nothing. */
    private final String option;

    Variant(String title) {
        this(title, "");
    }

    Variant(String title, String option) {
        this.title = title;
        this.option = option;
    }

    String title() {
        return title;
    }

    /**
     * Starts two processes that are connected.
     *
     * @param processors of the server and of the client
     * @param kind as {@link SocketSide#main} has it
     */
    SidePair connect(int[] processors, String kind, int connections) throws IOException {
        return new SidePair(kind, processors, options(), SocketSide.class, List.of(kind, "" + connections));
    }

    private List<String> options() {
        List<String> all =
                new ArrayList<>(List.of("-Dverbs.provider=iwarp", "-Dio.netty.leakDetection.level=disabled"));
        if (Runtime.version().feature() >= UNSAFE_OPTION_SINCE) {
            all.add("--sun-misc-unsafe-memory-access=allow");
        }
        if (this != JDK) {
            all.add("--add-exports=java.base/sun.nio.ch=ALL-UNNAMED");
            all.add("-Djava.nio.channels.spi.SelectorProvider=org.panamaverbs.sockets.RdmaSelectorProvider");
            all.add("-Dverbs.sockets.rules=require");
            if (!option.isEmpty()) {
                all.add(option);
            }
        }
        return all;
    }
}
