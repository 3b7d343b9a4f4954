package org.panamaverbs.bench.loopback.run;

import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.bench.loopback.exchange.End;
import org.panamaverbs.bench.loopback.exchange.VerbsEnd;

/** A process with one side of many connections over TCP, most of them idle. */
public final class ManySide {
    private ManySide() {}

    /**
     * Runs one side.
     *
     * @param arguments how many connections are idle and how many active, and the peer's port if this is the side that
     *     connects
     */
    public static void main(String[] arguments) throws Exception {
        OpenConfig config = OpenConfig.provider("iwarp").with("shm", "off").with("progress", "spin");
        int port = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 0;
        try (End end = new VerbsEnd(config, Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), port)) {
            End.obey(end);
        }
    }
}
