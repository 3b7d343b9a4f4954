package org.panamaverbs.examples.ring;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.panamaverbs.channel.ChannelConfig;
import org.panamaverbs.examples.command.Arguments;
import org.panamaverbs.examples.command.Example;
import org.panamaverbs.examples.command.Option;
import org.panamaverbs.examples.command.TwoEnds;
import org.panamaverbs.examples.command.UsageException;

/** A ring in the consumer's memory, which the producer fills: a message channel. */
public final class Ring implements Example {
    /** What is in front of the text of a record: its number, little-endian. */
    static final int NUMBER_BYTES = Long.BYTES;

    @Override
    public String name() {
        return "ring";
    }

    @Override
    public String summary() {
        return "records through a ring in the consumer's memory: a message channel";
    }

    @Override
    public List<Option> options() {
        return TwoEnds.options(
                new Option("message", "TEXT", "Hello, ring", "what each record says"),
                new Option("records", "N", "100000", "how many records are written"),
                new Option("ring", "KIB", "256", "how large the ring is, a power of two; the same for both ends"));
    }

    @Override
    public void run(Arguments arguments, PrintWriter out) throws Exception {
        byte[] message = arguments.text("message").getBytes(StandardCharsets.UTF_8);
        int records = arguments.number("records", 1, 1_000_000_000);
        int kib = arguments.number("ring", 4, 1 << 16);
        if (Integer.bitCount(kib) != 1) {
            throw new UsageException("--ring is a power of two, not " + kib);
        }
        ChannelConfig config = ChannelConfig.defaults()
                .withRingBytes(kib << 10)
                .withReceives(64, 1024)
                .withBatching(true);
        // In one piece, also where the device has no Write with Immediate.
        int longest = Math.min(config.maxMessageLength(), config.receiveBytes() - 8) - NUMBER_BYTES;
        if (message.length > longest) {
            throw new UsageException("--message has at most " + longest + " bytes");
        }
        TwoEnds.run(
                arguments,
                out,
                ends -> Consumer.run(ends, config),
                ends -> Producer.run(ends, config, message, records));
    }
}
