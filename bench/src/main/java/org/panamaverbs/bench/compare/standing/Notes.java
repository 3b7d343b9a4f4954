package org.panamaverbs.bench.compare.standing;

import java.util.List;

/** What a reader of the comparison must know. */
final class Notes {
    private static final String WARM_UP =
            "Ours is measured once the compilers of both virtual machines have been idle for a"
                    + " second, at most 30 s after its start; JUCX, Netty and Aeron after messages for about 3 s.";

    /** Of the comparison over the network's protocols, in Markdown, a paragraph each. */
    static final List<String> NETWORK = List.of(
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
                    + " collector. " + WARM_UP,
            "A batch of 64 is one doorbell of ours; one `send` of 5,632 bytes in C, what 64 Sends are on the wire; 64 writes"
                    + " and a flush in Netty; 64 offers before the driver's turn in Aeron. UCX sends each on its own. One of 16"
                    + " is asked of ours and of C, where it is one `send` of 1,408 bytes.",
            "A peer that has messages only stands beside Writes with them. Aeron's driver runs on the thread that sends and"
                    + " receives: other threads would take the processor from it. libfabric's fi_pingpong has one message"
                    + " under way.");

    /** Of the comparison on one host, in Markdown, a paragraph each. */
    static final List<String> ONE_HOST = List.of(
            "All round trips are whole: what perftest, UCX and libfabric print of ping-pongs is half of them, and is doubled"
                    + " here. Medians, but of libfabric, which prints means. Less is better for round trips, more for rates.",
            "`x C hand-over` and the like are medians of the rounds' ratios to that floor, which runs just before and just"
                    + " after everybody. A measurement counts as steady if both runs of the floor agree within 15 %; else it"
                    + " is made again, up to three times. Where some rounds are steady only these count, in the ratio and its"
                    + " range alone: the other columns are of all rounds.",
            "**C hand-over** copies 64 bytes into memory that both processes have mapped, the last eight of them a number that"
                    + " the other waits for, and copies them out; so does the way back. In batches one count tells of 64"
                    + " messages. No rights, no queues, no completions. **C memcpy** copies 1 MiB again and again from the same"
                    + " memory of one process to the same shared memory, which the caches hold; nobody else reads it. **C TCP,"
                    + " blocking** is `send` and `recv` that sleep; **C futex** passes 64 bytes as the hand-over does, and sleeps"
                    + " at a futex in the memory: the least that sleeping costs between two processes.",
            "A figure that was promised in microseconds or messages is judged by the median of the steady rounds. One to be"
                    + " ahead of others is decided if no round of one is beyond any of the other's, by ratios to the floor; who"
                    + " was not measured leaves it undecided.",
            "Each side has one processor and polls without a pause, but in the line that sleeps; Java with the serial"
                    + " collector. " + WARM_UP
                    + " Ours with `verbs perf` and `shm=require`, spinning, and in the line that sleeps by its event"
                    + " loop; polls 50 µs first: `-e --spin 50`, so that a sleep is rare where the answer is near. Batches of"
                    + " ours are of 64 Sends a doorbell. Direct access with `shm.direct=on` beside. From post to completion is the"
                    + " mean of many, each posted when the one before it is done, of `verbs perf` with `-t 1` and ucx_perftest with"
                    + " `-O 1`.",
            "UCX: `UCX_TLS=posix,cma` and `sysv,cma`, so that it may have the kernel copy large messages once; JUCX as the"
                    + " first, tagged messages from Java. UCX sends each message of a batch on its own. libfabric: `fi_pingpong"
                    + " -p shm -e rdm`, one message under way.",
            "Open MPI: `ob1` over `vader`, which copies large messages once by the kernel. A put by its component `pt2pt` is a"
                    + " message; by `sm` it is a copy into memory that both have mapped, by the one who calls, and nearer to the"
                    + " floor than to a message. The target of messages is about `pt2pt`, that of direct access about both. `mpi_yield_when_idle` is off, and no rank is bound but"
                    + " by itself.",
            "Aeron IPC: one media driver in the server's process, whose thread gives it a turn once in 64 idle looks; any"
                    + " other thread would take a processor from one of both sides. Messages in the log are read in place.",
            "A connection is measured from `connect` until both sides have it and it is closed again, within one process. One"
                    + " to elsewhere goes from the loopback's address to another address of this host, so that the initiator"
                    + " takes the peer for one of another host, and none has to be there; no slower means at most 1.05 x, which"
                    + " two runs of the same differ by. Allocation is of all threads, the most of Writes and Sends of 64 B and 1"
                    + " MiB; up to 0.01 B is the virtual machine's own.");

    private Notes() {}
}
