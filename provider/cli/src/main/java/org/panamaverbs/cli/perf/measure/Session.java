package org.panamaverbs.cli.perf.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.CompletionWait;
import org.panamaverbs.api.DatagramDestination;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.cli.command.CommandFailure;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.memory.Resources;

/** The verbs objects of one side of a measurement. Used by one thread. */
public final class Session implements AutoCloseable {
    // What is posted beside messages: a count, a Read and one for
    // the peak, a report in two pieces, the word that it is done.
    private static final int EXTRA_SENDS = 6;
    // Before each datagram that is received: the global route header, or its room.
    private static final int GRH_BYTES = 40;

    private final Resources resources = new Resources();
    private final Sizes sizes;
    private final ProtectionDomain domain;
    private final CompletionQueue queue;
    private final List<Lane> lanes = new ArrayList<>();
    private final Tally tally;
    private final Access[] localRights;

    /**
     * What is made how large.
     *
     * @param operation what is done
     * @param largest bytes of the longest message
     * @param type the type of the queue pairs
     */
    public record Sizes(
            PerfTest.Operation operation,
            int queuePairs,
            int largest,
            int txDepth,
            int rxDepth,
            int inlineBytes,
            boolean batched,
            QueuePairType type) {
        /** Returns what {@code options} ask for, {@code batched} if lists of sends are posted at once. */
        public static Sizes of(PerfOptions options, int inlineBytes, boolean batched, QueuePairType type) {
            PerfOptions.Queues queues = options.queues();
            return new Sizes(
                    options.test().operation(),
                    queues.pairs(),
                    options.largest(),
                    queues.txDepth(),
                    queues.rxDepth(),
                    inlineBytes,
                    batched && queues.postList() > 1,
                    type);
        }

        /** Returns the same for messages of up to {@code octets}. */
        public Sizes withLargest(int octets) {
            return new Sizes(operation, queuePairs, octets, txDepth, rxDepth, inlineBytes, batched, type);
        }

        /** Returns the sends of a queue pair that may be in flight. */
        public int sends() {
            return txDepth + EXTRA_SENDS;
        }

        /** Returns the completions that may wait at once. */
        public long completions() {
            return (long) queuePairs * (sends() + rxDepth);
        }
    }

    /**
     * How the session waits for completions.
     *
     * @param events true to sleep until an event, false to poll
     * @param spin with events, how long each wait polls before it sleeps
     * @param timeout the longest wait
     */
    public record Waiting(boolean events, Duration spin, Duration timeout) {}

    public Session(Verbs verbs, Sizes sizes, Waiting waiting) {
        this.sizes = sizes;
        boolean complete = false;
        try {
            localRights = verbs.capabilities().has(Feature.READ_SINK_LOCAL_WRITE)
                    ? new Access[] {Access.LOCAL_WRITE}
                    : new Access[] {Access.LOCAL_WRITE, Access.REMOTE_WRITE};
            domain = resources.add(verbs.protectionDomain());
            CompletionQueueConfig config = CompletionQueueConfig.of(Math.toIntExact(sizes.completions()));
            if (waiting.events()) {
                CompletionChannel channel = resources.add(verbs.completionChannel());
                queue = resources.add(verbs.completionQueue(config.withChannel(channel)));
                tally = new Tally(lanes, queue, CompletionWait.of(queue, channel, waiting.spin()), waiting.timeout());
            } else {
                queue = resources.add(verbs.completionQueue(config));
                tally = new Tally(lanes, queue, null, waiting.timeout());
            }
            complete = true;
        } finally {
            if (!complete) {
                close();
            }
        }
    }

    /**
     * Creates one more lane, with its receives posted.
     *
     * @throws CommandFailure if the system has no memory for it
     */
    public Lane add() {
        try {
            return create();
        } catch (OutOfMemoryError e) {
            throw noMemory(e);
        }
    }

    private CommandFailure noMemory(OutOfMemoryError e) {
        return new CommandFailure(
                "no memory for messages of " + sizes.largest() + " bytes on " + sizes.queuePairs()
                        + " queue pairs (each side needs them three times): " + e.getMessage()
                        + "; remedy: measure smaller ones with -s, or fewer queue pairs with -q",
                e);
    }

    private Lane create() {
        int largest = sizes.largest() + (sizes.type() == QueuePairType.UD ? GRH_BYTES : 0);
        long in = Control.baseBehind(largest) + Control.BYTES;
        Lane.Buffers buffers = new Lane.Buffers(
                resources.add(domain.allocate(largest, localRights)),
                resources.add(domain.allocate(
                        in, Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC)),
                resources.add(domain.allocate(Control.BYTES, localRights)),
                largest);
        fill(buffers);
        QueuePair queuePair = resources.add(domain.queuePair(QueuePairConfig.of(domain, queue)
                .withDepth(sizes.sends(), sizes.rxDepth())
                .withType(sizes.type())
                .withSge(1, 1)
                .withInline(sizes.inlineBytes())
                .withAllRemoteAccess()));
        Lane lane = new Lane(lanes.size(), queuePair, buffers, sizes.rxDepth(), sizes.inlineBytes(), sizes.batched());
        lanes.add(lane);
        lane.receive(sizes.rxDepth());
        return lane;
    }

    private void fill(Lane.Buffers buffers) {
        if (sizes.operation() != PerfTest.Operation.ATOMIC) {
            TestPattern.fill(buffers.out().segment(), sizes.largest());
        }
        if (sizes.operation() == PerfTest.Operation.READ) {
            TestPattern.fill(buffers.in().segment(), sizes.largest());
        }
    }

    /** Returns memory to read into what the peer has of a message. */
    public RegisteredBuffer back() {
        try {
            return resources.add(domain.allocate(Math.max(sizes.largest(), Long.BYTES), localRights));
        } catch (OutOfMemoryError e) {
            throw noMemory(e);
        }
    }

    /** Takes over the connection of {@code lane} with what the peer said of itself. */
    public void connected(Lane lane, Connection connection, RemoteBuffer remote, int peerReceives) {
        lane.connection = resources.add(connection);
        lane.remote(remote);
        lane.peerReceives = peerReceives;
    }

    /** Takes over what the peer said of itself, of {@code lane} that has no connection manager. */
    public void connectedOutOfBand(Lane lane, RemoteBuffer remote) {
        lane.remote(remote);
    }

    /** Takes over where the datagrams of {@code lane} go, which is closed with the session. */
    public void connectedOutOfBand(Lane lane, DatagramDestination destination) {
        lane.destination(resources.add(destination));
    }

    /** Lets the peer read on the first lane, once it is so, that the compilers here have been idle for a second. */
    public void watchCompilers() {
        // Closed before the lane, whose memory its thread writes.
        resources.add(
                new CompilerWatch(() -> lanes.getFirst().control.publish(Control.COMPILED, 1), WarmUp.Compiled.LIMIT));
    }

    public List<Lane> lanes() {
        return lanes;
    }

    public Tally tally() {
        return tally;
    }

    /** Tells the peer that nothing more comes and disconnects. */
    public void finish(Deadline deadline) {
        lanes.forEach(Lane::tellDone);
        for (Lane lane : lanes) {
            while (lane.completed < lane.posted) {
                tally.advance();
            }
        }
        for (Lane lane : lanes) {
            Connection connection = lane.connection;
            if (connection != null) {
                connection.disconnect(deadline);
            }
        }
    }

    @Override
    public void close() {
        resources.close((resource, failure) -> new CommandFailure("cannot close: " + failure.getMessage(), failure));
    }
}
