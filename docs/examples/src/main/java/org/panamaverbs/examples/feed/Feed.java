package org.panamaverbs.examples.feed;

import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.panamaverbs.examples.command.Arguments;
import org.panamaverbs.examples.command.Example;
import org.panamaverbs.examples.command.Option;
import org.panamaverbs.examples.command.TwoEnds;
import org.panamaverbs.examples.command.UsageException;

/** A publisher that sends each price once, to a multicast group, and subscribers that notice what they have missed. */
public final class Feed implements Example {
    @Override
    public String name() {
        return "feed";
    }

    @Override
    public String summary() {
        return "market data by multicast datagrams; gaps are noticed and filled (InfiniBand and RoCE only)";
    }

    @Override
    public List<Option> options() {
        return TwoEnds.options(
                new Option("updates", "N", "20000", "how many prices are published; the same for both ends"),
                new Option("rate", "N", "10000", "how many a second"),
                new Option("lose", "N", "1000", "the publisher does not send one in N, as if it were lost; 0 for none"),
                new Option("subscribers", "N", "2", "how many there are, a thread each; the same for both ends"),
                new Option("group", "ADDRESS", "239.1.2.3", "the multicast group; the same for both ends"));
    }

    @Override
    public void run(Arguments arguments, PrintWriter out) throws Exception {
        Terms terms = new Terms(
                group(arguments.text("group")),
                arguments.number("updates", 1, 1_000_000_000),
                arguments.number("rate", 1, 100_000_000),
                arguments.number("lose", 0, 1_000_000_000),
                arguments.number("subscribers", 1, 64));
        TwoEnds.run(arguments, out, ends -> Publisher.run(ends, terms), ends -> Subscribers.run(ends, terms));
    }

    private static InetAddress group(String text) {
        try {
            InetAddress group = InetAddress.getByName(text);
            if (group.isMulticastAddress()) {
                return group;
            }
        } catch (UnknownHostException e) {
            // what is no address is told like one that is none of a group
        }
        throw new UsageException("--group is a multicast address, such as 239.1.2.3, not " + text);
    }
}
