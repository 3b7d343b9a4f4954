package org.panamaverbs.bench.compare.standing;

import java.util.List;

/** What a reader of the comparison must know. */
final class Notes {
    private static final String WARM_UP =
            "Panama Verbs is measured once the compilers of both virtual machines have been idle for a second, at"
                    + " most 30 s after the start; JUCX, Netty and Aeron after about 3 s of messages.";

    /** Of the comparison over the network's protocols, in Markdown, a paragraph each. */
    static final List<String> NETWORK = List.of(
            "Round trips are whole: perftest, UCX and libfabric print half of a ping-pong, which is doubled here;"
                    + " Reads and atomics are whole as printed. Figures are medians, except those of libfabric, which"
                    + " prints means.",
            "`x C TCP` is the median of the rounds' ratios to C, which runs just before and just after each"
                    + " contestant: with 64 B for Reads, atomics and Sends, and as a stream for Reads of 1 MiB. A"
                    + " measurement is steady if both runs of C agree within 15 %; otherwise it is repeated, up to three"
                    + " times. If some rounds are steady, only these count in the ratio and its range; the other columns"
                    + " cover all rounds.",
            "Curves over sizes, which `--curves` adds, come from one or two passes without a run of C beside"
                    + " them: on a virtual machine, whose speed varies, two lines can differ for that reason alone.",
            "Both sides poll without a pause, except where the title says that they sleep. Each side has one"
                    + " processor; Java uses the serial collector. " + WARM_UP,
            "A batch of 64 is one doorbell in Panama Verbs; one `send` of 5,632 bytes in C, the size of 64 Sends"
                    + " on the wire; 64 writes and a flush in Netty; 64 offers before the driver's turn in Aeron. UCX sends"
                    + " each message on its own. A batch of 16 is one `send` of 1,408 bytes in C.",
            "Contestants without a Write are compared by their messages. Aeron's driver runs on the thread that"
                    + " sends and receives; another thread would take its processor. libfabric's fi_pingpong has one"
                    + " message in flight.");

    /** Of the comparison on one host, in Markdown, a paragraph each. */
    static final List<String> ONE_HOST = List.of(
            "Round trips are whole: perftest, UCX and libfabric print half of a ping-pong, which is doubled here."
                    + " Figures are medians, except those of libfabric, which prints means.",
            "`x C hand-over` and the like are medians of the rounds' ratios to that floor, which runs just before"
                    + " and just after each contestant. A measurement is steady if both runs of the floor agree within 15"
                    + " %; otherwise it is repeated, up to three times. If some rounds are steady, only these count in the"
                    + " ratio and its range; the other columns cover all rounds.",
            "**C hand-over** copies 64 bytes into memory that both processes have mapped, where the last eight"
                    + " are a number that the peer waits for, and copies them out, both ways. In batches one counter covers"
                    + " 64 messages. It has no access rights, queues or completions. **C memcpy** copies 1 MiB repeatedly"
                    + " from the same private memory to the same shared memory, both in the caches. **C TCP, blocking** is"
                    + " `send` and `recv` that sleep; **C futex** passes 64 bytes as the hand-over does and sleeps at a"
                    + " futex in the memory: the lowest cost of sleeping between two processes.",
            "Both sides poll without a pause, except where the title says that they sleep. Each side has one"
                    + " processor; Java uses the serial collector. " + WARM_UP
                    + " Panama Verbs runs as `verbs perf` with `shm=require`, spinning, or with its event loop where it"
                    + " sleeps; \"polls 50 µs first\" is `-e --spin 50`, which rarely sleeps if the answer is near. Its"
                    + " batches are 64 Sends a doorbell. Direct access adds `shm.direct=on`. Post to completion is the"
                    + " mean of many operations, each posted after the completion of the previous one: `verbs perf` with"
                    + " `-t 1`, ucx_perftest with `-O 1`.",
            "UCX: `UCX_TLS=posix,cma` and `sysv,cma`, so that the kernel can copy large messages once; JUCX uses"
                    + " the first, with tagged messages from Java. UCX sends each message of a batch on its own. libfabric:"
                    + " `fi_pingpong -p shm -e rdm`, one message in flight.",
            "Open MPI: `ob1` over `vader`, where the kernel copies large messages once. A put by its component"
                    + " `pt2pt` is a message; by `sm` the caller copies into memory that both processes have mapped, which"
                    + " is closer to the floor than to a message. `mpi_yield_when_idle` is off, and each rank binds itself.",
            "Aeron IPC: one media driver in the server's process, which runs on the server's thread once in 64"
                    + " idle polls; another thread would take the processor of one side. Messages in the log are read in"
                    + " place.",
            "A connection is measured from `connect` until both sides have it and have closed it, within one"
                    + " process. A connection to elsewhere goes from the loopback's address to another address of this"
                    + " host, so that the initiator takes the peer for a remote one. Allocation covers all threads and is"
                    + " the maximum of Writes and Sends of 64 B and 1 MiB; up to 0.01 B comes from the virtual machine.");

    private Notes() {}
}
