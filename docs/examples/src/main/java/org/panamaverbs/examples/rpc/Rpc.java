package org.panamaverbs.examples.rpc;

import java.io.PrintWriter;
import java.util.List;
import org.panamaverbs.channel.ChannelConfig;
import org.panamaverbs.examples.command.Arguments;
import org.panamaverbs.examples.command.Example;
import org.panamaverbs.examples.command.Option;
import org.panamaverbs.examples.command.TwoEnds;

/** Clients call a server that serves all of them on one thread. */
public final class Rpc implements Example {
    @Override
    public String name() {
        return "rpc";
    }

    @Override
    public String summary() {
        return "requests and responses by message channels, 1,000 clients on one thread";
    }

    @Override
    public List<Option> options() {
        return TwoEnds.options(
                new Option("clients", "N", "1000", "how many channels; the same for both ends"),
                new Option("calls", "N", "20", "how many calls each client makes, one after the other"));
    }

    @Override
    public void run(Arguments arguments, PrintWriter out) throws Exception {
        int clients = arguments.number("clients", 1, 10_000);
        int calls = arguments.number("calls", 1, 1_000_000);
        // Small calls, one at a time, need little memory: 12 KiB for each channel and side.
        ChannelConfig config = ChannelConfig.defaults()
                .withRingBytes(1 << 12)
                .withReceives(64, 64)
                .withMaxChannels(clients);
        TwoEnds.run(arguments, out, ends -> RpcServer.run(ends, config), ends -> RpcClients.run(ends, config, calls));
    }
}
