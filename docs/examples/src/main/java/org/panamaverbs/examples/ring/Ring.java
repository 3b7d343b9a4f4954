package org.panamaverbs.examples.ring;

import java.io.PrintWriter;
import java.util.List;
import org.panamaverbs.examples.command.Arguments;
import org.panamaverbs.examples.command.Example;
import org.panamaverbs.examples.command.Option;
import org.panamaverbs.examples.command.TwoEnds;
import org.panamaverbs.examples.command.UsageException;

/** A ring in the consumer's memory, which the producer fills by RDMA Writes. */
public final class Ring implements Example {
    @Override
    public String name() {
        return "ring";
    }

    @Override
    public String summary() {
        return "a ring over RDMA Write, with a consumer that polls";
    }

    @Override
    public List<Option> options() {
        return TwoEnds.options(
                new Option("message", "TEXT", "Hello, ring", "what each record says"),
                new Option("records", "N", "100000", "how many records are written"),
                new Option("slots", "N", "256", "how many records the ring holds; the server's counts"),
                new Option("batch", "N", "16", "how many records are announced by one Send, at most"));
    }

    @Override
    public void run(Arguments arguments, PrintWriter out) throws Exception {
        String message = arguments.text("message");
        int longest = RingLayout.of(1).longestText();
        if (message.getBytes(RingLayout.CHARSET).length > longest) {
            throw new UsageException("--message has at most " + longest + " bytes");
        }
        int records = arguments.number("records", 1, 1_000_000_000);
        RingLayout layout = RingLayout.of(arguments.number("slots", 4, 4096));
        int batch = arguments.number("batch", 1, 4096);
        TwoEnds.run(
                arguments,
                out,
                ends -> Consumer.run(ends, layout),
                ends -> Producer.run(ends, message, records, batch));
    }
}
