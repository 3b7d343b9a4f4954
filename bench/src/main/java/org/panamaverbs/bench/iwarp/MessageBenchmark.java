package org.panamaverbs.bench.iwarp;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.NanosecondsBenchmark;
import org.panamaverbs.bench.Question;
import org.panamaverbs.memory.RegisteredBuffer;

/** What the provider itself spends on messages: from memory to memory, without sockets. */
@Question("What does iwarp spend on messages of 64 bytes of one doorbell, from post to completion, without sockets?")
public class MessageBenchmark extends NanosecondsBenchmark {
    private static final int LENGTH = 64;

    /** How many messages go with one doorbell. */
    @Param({"1", "64"})
    public int messages;

    /** Whether the bytes carry a CRC. */
    @Param({"true", "false"})
    public boolean crc;

    private @Nullable MemoryPair opened;
    private @Nullable MessageFloor least;
    private @Nullable MessageFloor leastLonely;

    @Setup
    public void open() {
        MemoryPair made = new MemoryPair(crc);
        for (int i = 0; i < MemoryPair.DEPTH; i++) {
            receive(made, i);
        }
        opened = made;
        least = new MessageFloor(crc, messages);
        leastLonely = new MessageFloor(crc, messages);
    }

    @TearDown
    public void close() {
        pair().close();
        floor(least).close();
        floor(leastLonely).close();
    }

    private static MessageFloor floor(@Nullable MessageFloor made) {
        return Objects.requireNonNull(made, "open first");
    }

    private MemoryPair pair() {
        return Objects.requireNonNull(opened, "open first");
    }

    /** The floor of the sender: what the RFCs demand of it, without locks, pins and other opcodes. */
    @Benchmark
    public int senderFloor() {
        return floor(leastLonely).send(messages);
    }

    /** The floor of both sides. */
    @Benchmark
    public int bothFloor() {
        MessageFloor floor = floor(least);
        return floor.receive(floor.send(messages));
    }

    /** The sender alone: post, FPDUs, completion of the last one; its bytes are lost. */
    @Benchmark
    @Against("senderFloor")
    public int sender() {
        MemoryPair pair = pair();
        send(pair, pair.lonely.batch());
        return pair.awaitLonelySent();
    }

    /** Both sides: the same, then placement, completions, and the receives posted again. */
    @Benchmark
    @Against("bothFloor")
    public int both() {
        MemoryPair pair = pair();
        send(pair, pair.sender.batch());
        int received = pair.awaitReceived(messages);
        for (int i = 0; i < messages; i++) {
            receive(pair, i);
        }
        return received + pair.awaitSent();
    }

    /** Posts alone: a doorbell's requests are checked and collected, and then discarded. */
    @Benchmark
    public int post() {
        MemoryPair pair = pair();
        Batch batch = pair.lonely.batch();
        collect(pair, batch);
        int collected = batch.pending();
        batch.discard();
        return collected;
    }

    private void send(MemoryPair pair, Batch batch) {
        collect(pair, batch);
        batch.submitAll();
    }

    private void collect(MemoryPair pair, Batch batch) {
        RegisteredBuffer from = pair.source;
        for (int i = 0; i < messages; i++) {
            MemoryPair.require(
                    batch.send(i, from, (long) i * LENGTH, LENGTH, i == messages - 1 ? SendFlag.SIGNALED : 0));
        }
    }

    private static void receive(MemoryPair pair, int id) {
        MemoryPair.require(pair.receiver.recv(id, pair.sink, (long) id * LENGTH, LENGTH));
    }
}
