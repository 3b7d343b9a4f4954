package org.panamaverbs.examples.rpc;

import java.io.PrintWriter;
import java.util.List;
import org.panamaverbs.examples.command.Arguments;
import org.panamaverbs.examples.command.Example;
import org.panamaverbs.examples.command.Option;
import org.panamaverbs.examples.command.TwoEnds;

/** Clients call a server that has one receive queue for all of them. */
public final class Rpc implements Example {
    @Override
    public String name() {
        return "rpc";
    }

    @Override
    public String summary() {
        return "calls by Send, 1,000 clients on one shared receive queue and one thread";
    }

    @Override
    public List<Option> options() {
        return TwoEnds.options(
                new Option("clients", "N", "1000", "how many connections; the same for both ends"),
                new Option("calls", "N", "20", "how many calls each client makes, one after the other"));
    }

    @Override
    public void run(Arguments arguments, PrintWriter out) throws Exception {
        int clients = arguments.number("clients", 1, 10_000);
        int calls = arguments.number("calls", 1, 1_000_000);
        TwoEnds.run(arguments, out, ends -> RpcServer.run(ends, clients), ends -> RpcClients.run(ends, clients, calls));
    }
}
