package org.panamaverbs.iwarp.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.cm.TerminateCause;
import org.panamaverbs.api.cm.TerminateReason;
import org.panamaverbs.api.device.QueuePairStatistics;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.core.memory.StagTable;
import org.panamaverbs.iwarp.iovec.IoVector;

/** One stream with its STags, queues and the two pipes it is connected to: what a driver is to it, in memory. */
final class Side {
    static final int DOMAIN = 1;
    static final long LINGER_NANOS = 2_000_000_000L;

    final int qpNumber;
    final StagTable stags;
    final Wc.Queue sends = new Wc.Queue();
    final Wc.Queue receives = new Wc.Queue();
    final List<StreamEvent> events = new ArrayList<>();
    /** The next event of the kind that cannot be told; null for none. */
    @Nullable
    StreamEvent untold;

    final ReceiveRing ring;
    final BufferPool buffers;
    private final Staging staging = new Staging(Staging.BYTES);
    final Stream stream;
    /** Posts to it. */
    final EitherPosts posts;

    final List<Guarded> memories = new ArrayList<>();
    final Pipe in;
    final Pipe out;
    Splitter reading = Splitter.WHOLE;
    Splitter writing = Splitter.WHOLE;
    /** Whether the system does not say what is acknowledged. */
    boolean blind;

    boolean closed;
    boolean aborted;
    private boolean toldEnd;
    private boolean reaches;
    private @Nullable SimDirect lent;
    private IoVector unsent = IoVector.EMPTY;
    private boolean toldLost;

    Side(int qpNumber, Pipe in, Pipe out) {
        this(qpNumber, in, out, new StagTable(1024, randomStags(qpNumber)));
    }

    Side(int qpNumber, Pipe in, Pipe out, StagTable stags) {
        this(config(qpNumber), in, out, stags, null, null);
    }

    Side(
            StreamConfig config,
            Pipe in,
            Pipe out,
            StagTable stags,
            @Nullable CompletionSink sendSink,
            @Nullable CompletionSink receiveSink) {
        this(config, in, out, stags, sendSink, receiveSink, new ReceiveRing(512, 8), false);
    }

    /** Takes receives from {@code ring}: its own, or one that is {@code shared}. */
    Side(
            StreamConfig config,
            Pipe in,
            Pipe out,
            StagTable stags,
            @Nullable CompletionSink sendSink,
            @Nullable CompletionSink receiveSink,
            ReceiveRing ring,
            boolean shared) {
        this(config, in, out, stags, sendSink, receiveSink, ring, shared, new BufferPool(16));
    }

    /** Builds its batches in memory of {@code buffers}. */
    Side(int qpNumber, Pipe in, Pipe out, BufferPool buffers) {
        this(
                config(qpNumber),
                in,
                out,
                new StagTable(1024, randomStags(qpNumber)),
                null,
                null,
                new ReceiveRing(512, 8),
                false,
                buffers);
    }

    private Side(
            StreamConfig config,
            Pipe in,
            Pipe out,
            StagTable stags,
            @Nullable CompletionSink sendSink,
            @Nullable CompletionSink receiveSink,
            ReceiveRing ring,
            boolean shared,
            BufferPool buffers) {
        this.buffers = buffers;
        this.ring = ring;
        this.qpNumber = config.qpNumber();
        this.in = in;
        this.out = out;
        this.stags = stags;
        stream = new Stream(
                config,
                stags,
                buffers,
                new StreamQueues(
                        sendSink == null ? sends : sendSink,
                        receiveSink == null ? receives : receiveSink,
                        ring,
                        shared ? null : ring),
                (event, fault) -> hear(event));
        posts = new EitherPosts(stream);
    }

    private void hear(StreamEvent event) {
        if (event == untold) {
            untold = null;
            throw new OutOfMemoryError("in a test");
        }
        events.add(event);
    }

    static StreamConfig config(int qpNumber) {
        return StreamConfig.builder()
                .qpNumber(qpNumber)
                .domainId(DOMAIN)
                .maxSendWr(512)
                .maxSendSge(8)
                .maxRecvSge(8)
                .maxInlineBytes(256)
                .lingerNanos(LINGER_NANOS)
                .build();
    }

    static IntSupplier randomStags(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return random::nextInt;
    }

    Guarded memory(int bytes) {
        return memory(bytes, 0x1000_0000L * (memories.size() + 1), Guarded.ALL);
    }

    Guarded memory(int bytes, long base, int access) {
        return memory(bytes, base, access, DOMAIN);
    }

    Guarded memory(int bytes, long base, int access, int domain) {
        SimDirect shared = lent;
        Guarded memory = shared == null
                ? new Guarded(stags, bytes, base, access, domain)
                : new Guarded(stags, shared.allocate(Guarded.withGuards(bytes), access), base, access, domain);
        if (shared != null) {
            shared.enable(memory.region, memory.memory, access);
        }
        memories.add(memory);
        return memory;
    }

    /** Returns a window, which nothing is bound to. */
    Region window() {
        Region window = Objects.requireNonNull(stags.reserve(DOMAIN), "STag table is full");
        SimDirect shared = lent;
        if (shared != null) {
            shared.reserve(window);
        }
        return window;
    }

    /** Takes memory from {@code shared}, for the peer to reach. */
    void lend(SimDirect shared) {
        lent = shared;
    }

    /** Carries out on {@code memory} of the peer what it can. */
    void reach(PeerMemory memory) {
        stream.reach(memory);
        reaches = true;
    }

    void assertGuards() {
        memories.forEach(Guarded::assertGuards);
    }

    int receive(long wrId, Guarded memory, long offset, long length) {
        return stream.receives().post(wrId, memory.base + offset, length, memory.stag());
    }

    /** Posts receives with ids from {@code firstId}, each for its own {@code length} octets of {@code memory}. */
    void receives(int count, long firstId, Guarded memory, int length) {
        for (int i = 0; i < count; i++) {
            PostStatus.check(receive(firstId + i, memory, (long) i * length, length));
        }
    }

    int post(SendOpcode operation, long wrId, Guarded local, long offset, long length, long to, int rkey, long imm) {
        return posts.post(operation, wrId, local.base + offset, length, local.stag(), to, rkey, imm, SendFlag.SIGNALED);
    }

    int send(long wrId, Guarded local, long offset, long length) {
        return post(SendOpcode.SEND, wrId, local, offset, length, 0, 0, 0);
    }

    int write(long wrId, Guarded local, long offset, long length, Guarded remote, long remoteOffset) {
        return post(SendOpcode.RDMA_WRITE, wrId, local, offset, length, remote.base + remoteOffset, remote.stag(), 0);
    }

    int read(long wrId, Guarded local, long offset, long length, Guarded remote, long remoteOffset) {
        return post(SendOpcode.RDMA_READ, wrId, local, offset, length, remote.base + remoteOffset, remote.stag(), 0);
    }

    int fetchAdd(long wrId, Guarded local, long offset, Guarded remote, long remoteOffset, long add) {
        return posts.postAtomic(
                SendOpcode.FETCH_ADD,
                wrId,
                local.base + offset,
                local.stag(),
                remote.base + remoteOffset,
                remote.stag(),
                add,
                0,
                0,
                0,
                SendFlag.SIGNALED);
    }

    /** What ended the stream, {@code none} if nothing did. */
    String cause() {
        TerminateCause cause = stream.terminateCause();
        return cause == null ? "none" : cause.toString();
    }

    /** Does what a driver does when it looks at its socket once; true if something happened. */
    boolean step(long now) {
        if (closed) {
            in.drain();
            return false;
        }
        boolean progress = transmit(now);
        progress |= receive(now);
        return close(now) || progress;
    }

    /** Does so until nothing happens any more. */
    void settle(long now) {
        boolean more = true;
        while (more) {
            more = step(now);
        }
    }

    private long unacknowledged() {
        return blind ? -1 : out.unacknowledged();
    }

    /** Tells whether all that was begun is sent. */
    boolean isBetweenFpdus() {
        return unsent.isEmpty();
    }

    /** Returns how many requests it has carried out on memory of the peer. */
    long executedInline() {
        return statistics().sendsDirect();
    }

    QueuePairStatistics statistics() {
        QueuePairStatistics.Builder counts = QueuePairStatistics.builder(qpNumber);
        stream.counts().fill(counts);
        return counts.build();
    }

    boolean transmit(long now) {
        if (reaches) {
            stream.carryOut();
        }
        unsent = stream.transmit(now);
        long octets = unsent.isEmpty() || out.broken()
                ? 0
                : out.write(unsent.buffers(), unsent.first(), unsent.count(), writing.next(out.writtenOctets()));
        stream.sent(octets, now);
        return octets > 0;
    }

    private boolean receive(long now) {
        if (in.broken() || out.broken()) {
            if (toldLost) {
                return false;
            }
            toldLost = true;
            stream.lost(TerminateReason.PEER_RESET, "connection reset by peer");
            return true;
        }
        IoVector into = stream.receiveInto(staging);
        long octets = into.isEmpty() ? 0 : in.read(into.buffers(), into.end(), reading.next(in.readOctets()));
        stream.received(octets, now);
        if (octets == 0 && !into.isEmpty() && in.ended() && !toldEnd) {
            toldEnd = true;
            stream.endOfStream(now);
            return true;
        }
        return octets > 0;
    }

    private boolean close(long now) {
        if (stream.awaitsAcknowledgement()) {
            stream.unacknowledged(unacknowledged(), now);
        }
        switch (stream.closeAction()) {
            case NONE -> {
                return false;
            }
            case SHUTDOWN_OUTPUT -> {
                out.finish();
                stream.outputShutDown(unacknowledged(), now);
            }
            case CLOSE -> {
                out.finish();
                closed = true;
                stream.closed();
            }
            case ABORT -> {
                out.breakDown();
                in.breakDown();
                closed = true;
                aborted = true;
                stream.closed();
            }
        }
        return true;
    }
}
