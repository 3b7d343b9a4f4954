package org.panamaverbs.examples.threads;

import java.io.PrintWriter;
import java.util.List;
import org.panamaverbs.examples.command.Arguments;
import org.panamaverbs.examples.command.Example;
import org.panamaverbs.examples.command.Option;
import org.panamaverbs.examples.command.TwoEnds;

/** Many virtual threads share one queue pair; each waits for its own request without keeping a carrier. */
public final class VirtualThreads implements Example {
    @Override
    public String name() {
        return "threads";
    }

    @Override
    public String summary() {
        return "1,000 virtual threads on one queue pair, with one thread that polls for them";
    }

    @Override
    public List<Option> options() {
        return TwoEnds.options(
                new Option("threads", "N", "1000", "how many virtual threads; the same for both ends"),
                new Option(
                        "rounds", "N", "20", "how many requests each makes, one after the other; the same for both"));
    }

    @Override
    public void run(Arguments arguments, PrintWriter out) throws Exception {
        int threads = arguments.number("threads", 1, 100_000);
        int rounds = arguments.number("rounds", 1, 1_000_000);
        TwoEnds.run(
                arguments,
                out,
                ends -> CounterServer.run(ends, threads, rounds),
                ends -> CounterClient.run(ends, threads, rounds));
    }
}
