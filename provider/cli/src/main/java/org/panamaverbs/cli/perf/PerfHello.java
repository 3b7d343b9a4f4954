package org.panamaverbs.cli.perf;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.panamaverbs.cli.command.CommandFailure;
import org.panamaverbs.cli.perf.measure.PerfOptions;
import org.panamaverbs.cli.perf.measure.PerfTest;
import org.panamaverbs.cli.perf.measure.WarmUp;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * What the client says with its connection request, in 53 bytes of private data (InfiniBand leaves 56).
 *
 * @param test what is measured
 * @param mode whether the server is to send as well, which atomic, and whether it is to sleep until an event, too
 * @param origin which connection this is
 * @param allSizes true for every power of two up to {@code size}, as with {@code -a}
 * @param size bytes of a message, the largest
 * @param span how long a size is measured; with neither iterations nor seconds until the client is done
 * @param target what the server sends and writes to
 */
record PerfHello(
        PerfTest test,
        PerfOptions.Mode mode,
        Origin origin,
        boolean allSizes,
        int size,
        PerfOptions.Span span,
        Target target) {
    /**
     * A connection among those of its client.
     *
     * @param client a number of the client's that its connections share, drawn at random
     * @param index which of the connections it is
     * @param queuePairs how many there will be
     */
    record Origin(int client, int index, int queuePairs) {}

    /**
     * What the client has for the server's messages.
     *
     * @param receives receives of a queue pair of the client
     * @param buffer where the server writes
     */
    record Target(int receives, RemoteBuffer buffer) {}

    /** The most connections of a client. */
    static final int MAX_QUEUE_PAIRS = 16_384;

    private static final int MAGIC = 0x56506572; // "VPer"
    private static final byte VERSION = 3;
    private static final int BYTES = 4 + 1 + 1 + 1 + 4 + 2 + 2 + 4 + 4 + 4 + 2 + RemoteBuffer.BYTES;
    private static final int ALL = 1;
    private static final int EVENTS = 2;
    private static final int BIDIRECTIONAL = 4;
    private static final int COMPARE_AND_SWAP = 8;

    byte[] encode() {
        ByteBuffer to = ByteBuffer.allocate(BYTES);
        to.putInt(MAGIC).put(VERSION).put((byte) test.code());
        to.put((byte) ((allSizes ? ALL : 0)
                | (mode.events() ? EVENTS : 0)
                | (mode.bidirectional() ? BIDIRECTIONAL : 0)
                | (mode.compareAndSwap() ? COMPARE_AND_SWAP : 0)));
        to.putInt(origin.client()).putShort((short) origin.index()).putShort((short) origin.queuePairs());
        // Seconds as a negative number, as with the warm-up.
        to.putInt(size).putInt(span.seconds() > 0 ? -span.seconds() : span.iterations());
        to.putInt(span.warmUp().code()).putShort((short) target.receives());
        target.buffer().encode(to);
        return to.array();
    }

    /**
     * Reads what the peer sent.
     *
     * @throws CommandFailure if it is not a hello of this version, or one that cannot be
     */
    static PerfHello decode(byte[] octets) {
        if (octets.length < BYTES) {
            throw stranger("its request has " + octets.length + " bytes");
        }
        ByteBuffer from = ByteBuffer.wrap(octets);
        if (from.getInt() != MAGIC) {
            throw stranger("its request does not begin like one");
        }
        int version = from.get();
        if (version != VERSION) {
            throw stranger("it has version " + version + ", expected " + VERSION);
        }
        Optional<PerfTest> test = PerfTest.ofCode(Byte.toUnsignedInt(from.get()));
        int flags = from.get();
        int client = from.getInt();
        int index = Short.toUnsignedInt(from.getShort());
        int queuePairs = Short.toUnsignedInt(from.getShort());
        int size = from.getInt();
        int length = from.getInt();
        int iterations = Math.max(0, length);
        int seconds = Math.max(0, -Math.max(length, -Integer.MAX_VALUE));
        WarmUp warmUp = WarmUp.ofCode(from.getInt());
        int receives = Short.toUnsignedInt(from.getShort());
        boolean sane = test.isPresent()
                && index < queuePairs
                && queuePairs <= MAX_QUEUE_PAIRS
                && size > 0
                && (size <= MessageSizes.USUAL || (flags & ALL) == 0)
                && goTogether(warmUp, iterations, (flags & BIDIRECTIONAL) != 0);
        if (!sane) {
            throw stranger("its request has invalid values");
        }
        return new PerfHello(
                test.get(),
                new PerfOptions.Mode(
                        (flags & COMPARE_AND_SWAP) != 0,
                        (flags & BIDIRECTIONAL) != 0,
                        (flags & EVENTS) != 0,
                        Duration.ZERO),
                new Origin(client, index, queuePairs),
                (flags & ALL) != 0,
                size,
                new PerfOptions.Span(iterations, seconds, warmUp),
                new Target(receives, RemoteBuffer.decode(from)));
    }

    /** A ping-pong's server counts both or none; one that sends as well does not hear when the warm-up ends. */
    private static boolean goTogether(WarmUp warmUp, int iterations, boolean bidirectional) {
        return switch (warmUp) {
            case WarmUp.Messages messages -> true;
            case WarmUp.Seconds seconds -> iterations == 0;
            case WarmUp.Compiled compiled -> iterations == 0 && !bidirectional;
        };
    }

    /** Returns the sizes to measure, ascending. */
    List<Integer> sizes() {
        return allSizes ? MessageSizes.upTo(size) : List.of(size);
    }

    /** Returns {@code options} of a server as this client asks. */
    PerfOptions over(PerfOptions options) {
        PerfOptions.Queues queues = options.queues();
        return new PerfOptions(
                options.test(),
                sizes(),
                span,
                new PerfOptions.Queues(
                        origin.queuePairs(),
                        queues.txDepth(),
                        queues.rxDepth(),
                        queues.postList(),
                        queues.cqModeration(),
                        queues.inlineBytes(),
                        queues.outstanding()),
                new PerfOptions.Mode(
                        mode.compareAndSwap(),
                        mode.bidirectional(),
                        options.mode().events(),
                        options.mode().spin()),
                options.typeOfService(),
                options.timeout());
    }

    private static CommandFailure stranger(String why) {
        return new CommandFailure("the peer is not a `verbs perf` client of this version: " + why);
    }
}
