package org.panamaverbs.examples.lock;

import java.io.PrintWriter;
import java.util.List;
import org.panamaverbs.examples.command.Arguments;
import org.panamaverbs.examples.command.Example;
import org.panamaverbs.examples.command.Option;
import org.panamaverbs.examples.command.TwoEnds;

/** Clients share a counter by FetchAdd, and a value behind a lock that CmpSwap takes and gives back. */
public final class Lock implements Example {
    @Override
    public String name() {
        return "lock";
    }

    @Override
    public String summary() {
        return "a counter and a lock that clients share by atomics; the server's processor has no part in it";
    }

    @Override
    public List<Option> options() {
        return TwoEnds.options(
                new Option("clients", "N", "4", "how many clients, a thread each; the same for both ends"),
                new Option("rounds", "N", "500", "how often each client counts and takes the lock; the same for both"));
    }

    @Override
    public void run(Arguments arguments, PrintWriter out) throws Exception {
        int clients = arguments.number("clients", 1, 256);
        int rounds = arguments.number("rounds", 1, 1_000_000);
        TwoEnds.run(
                arguments,
                out,
                ends -> LockServer.run(ends, clients, rounds),
                ends -> LockClients.run(ends, clients, rounds));
    }
}
