package org.panamaverbs.bench.compare.standing;

import java.util.List;

/** What a reader of the comparison must know. */
final class Notes {
    /** In Markdown, a paragraph each. */
    static final List<String> ALL = List.of(
            "All round trips are whole: what perftest, UCX and libfabric print of ping-pongs is half of them, and is doubled"
                    + " here. Reads and atomics are whole as printed. Medians, but of libfabric, which prints means. Less is"
                    + " better for round trips, more for rates.",
            "`x C TCP` is the median of the rounds' ratios to C, which runs just before and just after everybody: with 64 B"
                    + " for Reads, atomics and Sends, too, and as a stream for Reads of 1 MiB. A measurement counts as steady"
                    + " if both runs of C agree within 15 %; else it is made again, up to three times. Where some rounds are"
                    + " steady only these count, in the ratio and its range alone: the other columns are of all rounds.",
            "A target is decided if all rounds that count are on one side of it, and one to be ahead of others if no round"
                    + " of one is beyond any of the other's.",
            "Curves over sizes, which `--curves` adds, are of one or two passes without another look at C: where the machine"
                    + " has moods, as a virtual one does, those of two lines can differ by that alone.",
            "All poll without a pause but in the line that sleeps. Each side has one processor, Java with the serial"
                    + " collector.",
            "Batches are of 64: one doorbell of ours; one `send` of 5,632 octets in C, what 64 Sends are on the wire; 64"
                    + " writes and a flush in Netty; 64 offers before the driver's turn in Aeron. UCX sends each on its own.",
            "A peer that has messages only stands beside Writes with them. Aeron's driver runs on the thread that sends and"
                    + " receives: other threads would take the processor from it. libfabric's fi_pingpong has one message"
                    + " under way.");

    private Notes() {}
}
