package org.panamaverbs.channel;

import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionWait;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.ReceiveList;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendQueue;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.WaitInterruptedException;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.TerminateCause;
import org.panamaverbs.channel.flow.Frame;
import org.panamaverbs.channel.flow.Inbound;
import org.panamaverbs.channel.flow.Limits;
import org.panamaverbs.channel.flow.Outbound;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.memory.Resources;

/**
 * A reliable connection for messages in both directions, each with a {@link Publisher} at one end and a
 * {@link Subscriber} at the other. A {@link ChannelGroup} connects and accepts channels. For the thread of the group.
 *
 * <p>A slow subscriber back-pressures its publisher and never ends the connection. If the connection ends, what has
 * arrived can still be polled.
 */
public final class Channel implements AutoCloseable {
    private static final int CREDIT_STRIDE = 32;
    private static final int INLINE_BYTES = 128;
    private static final int SPINS = 1 << 6;
    private static final int SILENT_BEATS = 5;

    /** Whether a channel can carry messages, and why not. */
    public enum State {
        /** Connected. */
        OPEN,
        /** The peer has ended the stream, and its last message was taken. */
        ENDED,
        /** The connection was lost, or the peer broke the protocol: {@link Channel#failure}. */
        LOST,
        /** This side has closed the channel. */
        CLOSED
    }

    private final ChannelGroup group;
    private final Way way;
    private final Resources scope = new Resources();

    private final RegisteredBuffer local;
    private final @Nullable RegisteredBuffer ring;
    private final QueuePair queuePair;
    private final Batch batch;
    private final int inlineBytes;

    private final long creditsAt;
    private final int creditMask;
    private final long receivesAt;
    private final int receiveBytes;
    private final MemorySegment receives;
    private final ReceiveList reposts;

    private final Outbound outbound;
    private final Inbound inbound;
    private final MemorySegment readOnlyMemory;
    private final @Nullable MemorySegment readOnlyRing;
    private final Publisher publisher;
    private final Subscriber subscriber;

    private @Nullable Connection connection;
    private @Nullable RemoteBuffer remoteRing;
    private State state = State.OPEN;
    private @Nullable ChannelException failure;

    /** Whether nothing can be posted any more. */
    private boolean dead;

    /** Whether the peer broke the protocol: what arrives behind that is not taken. */
    private boolean broken;

    /** Whether the peer's end was taken. */
    private boolean ended;

    /** The number of the next post when the group last had all channels beat, and how often since anything came. */
    private long beatPosts;

    private int silentBeats;

    private boolean delivering;
    private boolean keepThis;

    /** Whether the group has this channel in its lists of those with messages, with some to post, with work to do. */
    boolean ready;

    boolean unposted;
    boolean touched;

    /** Creates the memory and the queue pair, with all receives posted, not connected. */
    Channel(ChannelGroup group, CompletionQueue queue, ChannelConfig config, Way way) {
        this.group = group;
        this.way = way;
        boolean slots = way == Way.SENDS;
        int count = config.receives();
        int ringBytes = config.ringBytes();
        receiveBytes = slots ? config.receiveBytes() : CREDIT_STRIDE;
        int large = slots ? maxLarge(config) : 0;
        creditsAt = ringBytes;
        creditMask = count - 1;
        receivesAt = creditsAt + (long) count * CREDIT_STRIDE;
        long localBytes = receivesAt + (long) count * receiveBytes;

        boolean made = false;
        try {
            // Its own: the key of a ring is of no use to the peers of other channels.
            ProtectionDomain domain = scope.add(group.verbs().protectionDomain());
            local = scope.add(domain.allocate(localBytes, Access.LOCAL_WRITE));
            ring = config.hasRing(way)
                    ? scope.add(domain.allocate(ringBytes, Access.LOCAL_WRITE, Access.REMOTE_WRITE))
                    : null;
            int inline = Math.min(INLINE_BYTES, group.verbs().capabilities().maxInlineBytes());
            QueuePairConfig its = QueuePairConfig.of(domain, queue)
                    .withDepth(count + large, count)
                    .withInline(inline)
                    .withAttachment(this);
            queuePair = scope.add(domain.queuePair(ring == null ? its : its.withAccess(Access.REMOTE_WRITE)));
            inlineBytes = Math.min(inline, queuePair.config().maxInlineBytes());
            batch = queuePair.batch();
            receives = local.segment().asSlice(receivesAt, (long) count * receiveBytes);
            reposts = ReceiveList.ofCapacity(count);
            for (int i = 0; i < count; i++) {
                addReceive(i);
            }
            queuePair.recvAll(reposts);
            made = true;
        } finally {
            if (!made) {
                scope.close();
            }
        }

        Limits limits = new Limits(ringBytes, count, slots ? receiveBytes : ringBytes);
        MemorySegment written = ring == null ? null : ring.segment();
        MemorySegment arrivals = slots || written == null ? receives : written;
        MemorySegment staging = local.segment().asSlice(0, ringBytes);
        readOnlyMemory = arrivals.asReadOnly();
        readOnlyRing = written == null ? null : written.asReadOnly();
        inbound = new Inbound(arrivals, limits, slots, config.maxMessageLength(), slots ? written : null);
        outbound = new Outbound(staging, limits, count, slots);
        publisher = new Publisher(this, outbound, staging, config);
        subscriber = new Subscriber(this);
    }

    /** Returns how many messages may be under way that are written and announced: each is longer than a receive. */
    static int maxLarge(ChannelConfig config) {
        return config.way().orElse(Way.SENDS) == Way.SENDS && config.hasRing(Way.SENDS)
                ? Math.min(config.receives(), config.ringBytes() / config.receiveBytes())
                : 0;
    }

    private void addReceive(int index) {
        reposts.add(index, local, receivesAt + (long) index * receiveBytes, receiveBytes);
    }

    Setup setup(ChannelConfig config) {
        return ring == null ? new Setup(way, config, 0, 0) : new Setup(way, config, ring.rkey(), ring.iova());
    }

    ChannelGroup group() {
        return group;
    }

    QueuePair queuePair() {
        return queuePair;
    }

    void remoteRing(RemoteBuffer its) {
        remoteRing = its;
    }

    void connected(Connection its) {
        connection = scope.add(its);
    }

    /** Returns what publishes to the other end, always the same object. */
    public Publisher publisher() {
        return publisher;
    }

    /** Returns what takes messages from the other end, always the same object. */
    public Subscriber subscriber() {
        return subscriber;
    }

    /** Returns how messages go, in both directions. */
    public Way way() {
        return way;
    }

    /** Returns the state, as of the last poll. */
    public State state() {
        return state;
    }

    /** Returns why the channel was lost; empty otherwise. */
    public Optional<ChannelException> failure() {
        return Optional.ofNullable(failure);
    }

    /**
     * Returns whether nothing was heard of the peer for {@link ChannelConfig#silence}, as of the last poll: its host or
     * process has stopped, its group is not polled, or a transfer takes longer than that. The channel stays open, and
     * the peer may go on.
     */
    public boolean isPeerSilent() {
        return silentBeats >= SILENT_BEATS;
    }

    /** Sends a credit if nothing was posted since the last beat; returns whether the peer has just become silent. */
    boolean beat() {
        if (!live()) {
            return false;
        }
        if (outbound.posts() == beatPosts && outbound.mayPostBeat()) {
            postCredit();
        }
        beatPosts = outbound.posts();
        silentBeats = Math.min(silentBeats, SILENT_BEATS) + 1;
        return silentBeats == SILENT_BEATS;
    }

    /** Returns the peer's address. */
    public InetSocketAddress remoteAddress() {
        return its().remoteAddress();
    }

    /** Returns the connection below, for its statistics and TLS session; the channel posts, polls and closes. */
    public Connection connection() {
        return its();
    }

    private Connection its() {
        if (connection == null) {
            throw new IllegalStateException("channel: not connected yet; remedy: use what the group returns");
        }
        return connection;
    }

    Inbound inbound() {
        return inbound;
    }

    boolean isEnded() {
        return ended;
    }

    /** Returns 0 if messages can be published, or the reason of {@link Publisher} why not. */
    long refusal() {
        return switch (state) {
            case OPEN -> 0;
            case ENDED, LOST -> Publisher.NOT_CONNECTED;
            case CLOSED -> Publisher.CLOSED;
        };
    }

    /** Returns whether the peer has ended its stream, and hears of the end of this one. */
    boolean mayAnswerEnd() {
        return state == State.ENDED && !dead;
    }

    void progress() {
        flush();
        group.progress();
    }

    /** Takes a completion of this channel's queue pair. */
    void on(WorkCompletion completion) {
        if (state == State.CLOSED || broken) {
            return;
        }
        if (!completion.ok()) {
            WcStatus status = completion.status();
            String found = status == WcStatus.WR_FLUSH_ERROR ? "the peer has closed it" : status.meaning();
            lose("channel to " + peer() + ": the connection was lost ("
                    + its().terminateCause().map(TerminateCause::text).orElse(found)
                    + "), the subscriber is at position " + inbound.position()
                    + ", the peer has released up to position " + outbound.released()
                    + "; remedy: connect a new channel, and publish again what inDoubt hands out");
            return;
        }
        WcOpcode opcode = completion.opcode();
        boolean right = switch (opcode) {
            case RECV -> received((int) completion.wrId(), completion.byteCount());
            case RECV_IMMEDIATE -> written((int) completion.wrId(), completion.immediate());
            default -> {
                outbound.completed(completion.wrId());
                yield true;
            }
        };
        if (!right) {
            broken(inbound.violation());
        }
    }

    private boolean received(int index, long bytes) {
        silentBeats = 0;
        long at = (long) index * receiveBytes;
        long header = bytes < Frame.HEADER_BYTES ? 0 : Frame.header(receives, at);
        if (bytes == Frame.CREDIT_BYTES && Frame.isCredit(header)) {
            inbound.receiveTaken(index);
            return outbound.credit(Frame.creditReleased(receives, at), Frame.creditReposted(receives, at))
                    || inbound.refuse("a credit for what was not sent");
        }
        if (way != Way.SENDS) {
            return inbound.refuse("a Send of " + bytes + " bytes that is not a credit");
        }
        return inbound.arrived(index, (int) bytes);
    }

    private boolean written(int index, long immediate) {
        silentBeats = 0;
        inbound.receiveTaken(index);
        return way == Way.RING
                ? inbound.arrived(immediate & 0xffff_ffffL)
                : inbound.refuse("a Write with immediate data");
    }

    /** Does what completions and taken messages made possible: receives are posted, messages and credits sent. */
    void service() {
        if (live()) {
            repost();
            flush();
            if (live() && inbound.creditDue() && outbound.mayPostCredit()) {
                postCredit();
            }
        }
    }

    private void repost() {
        int due = inbound.receivesDue();
        if (due > 0) {
            reposts.clear();
            for (int i = 0; i < due; i++) {
                addReceive(inbound.nextReceive());
            }
            int posted = queuePair.recv(reposts);
            if (posted != due) {
                refused(posted);
            }
        }
    }

    private boolean live() {
        return !dead && state != State.CLOSED;
    }

    private void postCredit() {
        long post = outbound.posts();
        long at = creditsAt + (post & creditMask) * CREDIT_STRIDE;
        Frame.putCredit(local.segment(), at, inbound.released(), inbound.reposted());
        int status = queuePair.send(post, local, at, Frame.CREDIT_BYTES, flags(Frame.CREDIT_BYTES, 0));
        if (status < 0) {
            refused(status);
        } else {
            outbound.creditPosted();
            inbound.reported();
        }
    }

    private int flags(int wire, int stream) {
        return (outbound.signals(stream) ? SendFlag.SIGNALED : SendFlag.NONE)
                | (wire <= inlineBytes ? SendFlag.INLINE : SendFlag.NONE);
    }

    /** Has the group post what is committed with its next progress. */
    void flushLater() {
        group.unposted(this);
    }

    /** Posts what is committed, as far as the peer has room: behind the peer's end as well. */
    void flush() {
        if (!live() || !outbound.nextChunk()) {
            return;
        }
        if (outbound.chunkStream() == outbound.unposted() && outbound.chunkWritten() == 0) {
            post(queuePair);
            return;
        }
        do {
            post(batch);
        } while (live() && outbound.nextChunk());
        while (batch.pending() > 0) {
            int taken = batch.submit();
            if (taken <= 0) {
                batch.discard();
                refused(taken);
            }
        }
    }

    private void post(SendQueue queue) {
        int at = outbound.chunkOffset();
        int wire = outbound.chunkWire();
        int stream = outbound.chunkStream();
        int flags = flags(wire, stream);
        long post = outbound.posts();
        RemoteBuffer its = remoteRing;
        int status = PostStatus.ACCEPTED;
        if (its == null || way == Way.SENDS) {
            int written = outbound.chunkWritten();
            if (its != null && written > 0) {
                status = queue.write(post, local, at + wire, written, its, at + wire, SendFlag.NONE);
            }
            if (status >= 0) {
                status = queue.send(post, local, at, wire, flags);
            }
        } else {
            status = queue.writeWithImmediate(post, local, at, wire, its, at, stream, flags);
        }
        if (status < 0) {
            refused(status);
        } else {
            outbound.chunkPosted();
        }
    }

    private void refused(int status) {
        fail("channel to " + peer() + ": a request was refused: " + PostStatus.text(status));
    }

    private void broken(String violation) {
        broken = true;
        fail("channel to " + peer() + ": the peer broke the protocol with " + violation
                + "; remedy: use the same release on both sides");
    }

    /** Loses a connection that is still there: the peer is to see it as well. */
    private void fail(String why) {
        lose(why);
        if (connection != null) {
            connection.close();
        }
    }

    private void lose(String why) {
        dead = true;
        group.channelEnds();
        // Behind the peer's end nothing is lost.
        if (state == State.OPEN) {
            state = State.LOST;
            failure = new ChannelException(why);
        }
    }

    String peer() {
        return connection == null ? "a peer" : String.valueOf(connection.remoteAddress());
    }

    /** Hands up to {@code limit} messages to {@code handler}, of those that have arrived. */
    int deliver(MessageHandler handler, int limit) {
        if (delivering) {
            throw new IllegalStateException("poll: called by the handler of a message of the same channel; remedy: let"
                    + " the handler return first");
        }
        if (state == State.CLOSED || connection == null || !inbound.hasFrames()) {
            return 0;
        }
        int taken = 0;
        int found = Inbound.MESSAGE;
        delivering = true;
        try {
            while (taken < limit && state != State.CLOSED) {
                found = inbound.next();
                if (found != Inbound.MESSAGE) {
                    break;
                }
                taken++;
                keepThis = false;
                try {
                    handler.onMessage(this, messageMemory(), inbound.messageOffset(), inbound.messageLength());
                } finally {
                    inbound.take(keepThis);
                }
            }
        } finally {
            delivering = false;
            finish(found);
        }
        return taken;
    }

    private MemorySegment messageMemory() {
        return inbound.messageLarge() && readOnlyRing != null ? readOnlyRing : readOnlyMemory;
    }

    private void finish(int found) {
        if (state == State.CLOSED) {
            return;
        }
        if (found == Inbound.VIOLATION) {
            broken(inbound.violation());
            return;
        }
        if (found == Inbound.END) {
            ended = true;
            group.channelEnds();
            state = state == State.OPEN ? State.ENDED : state;
        } else if (found == Inbound.MESSAGE && inbound.hasFrames()) {
            group.ready(this);
        }
        service();
    }

    long keep() {
        if (!delivering) {
            throw new IllegalStateException("keep: no message is being taken; remedy: call it in the handler");
        }
        keepThis = true;
        return inbound.messageEnd();
    }

    void release(long position) {
        if (delivering && keepThis && position == inbound.messageEnd()) {
            keepThis = false;
            return;
        }
        if (!inbound.release(position)) {
            throw new IllegalArgumentException("release: no message that ends at position " + position
                    + " is kept; remedy: pass what keep returned, once");
        }
        if (inbound.hasFrames()) {
            group.ready(this);
        }
        if (!delivering) {
            service();
        }
    }

    /**
     * Ends the channel: publishes the end, waits until the subscriber has released everything, disconnects, closes. An
     * open claim is aborted, and messages that arrive meanwhile are dropped. The group's other channels make progress,
     * and hand out nothing. A peer that has ended its stream too need not have taken this end, only what is in front of
     * it. Returns at once if the channel is closed.
     *
     * <p>Where it throws a {@code ChannelException} or a {@code VerbsException}, the channel is closed nevertheless,
     * and the message has the position up to which everything was released.
     *
     * @param deadline until when to wait
     * @throws org.panamaverbs.api.DeadlineExceededException if the subscriber has not released everything before it
     * @throws WaitInterruptedException if the thread is interrupted before that; the interrupt flag stays set
     * @throws ChannelException if the connection was lost before that
     * @throws IllegalStateException if the handler of a message of this channel calls it; nothing has changed
     */
    public void disconnect(Deadline deadline) {
        if (delivering) {
            throw new IllegalStateException("disconnect: called by the handler of a message of the same channel;"
                    + " remedy: let the handler return first, or close the channel");
        }
        if (state == State.CLOSED) {
            return;
        }
        publisher.claim().discard();
        try {
            for (int spins = 1; !publisher.endReleased() && waits(spins, deadline); spins++) {
                drop();
            }
            // A peer that has ended too may leave without having taken this end.
            long due = ended ? publisher.messagesEnd() : outbound.position();
            if (outbound.released() < due) {
                throw unreleased("the subscriber has released up to position " + outbound.released() + " of " + due);
            }
            leave(deadline);
        } finally {
            close();
        }
    }

    private void leave(Deadline deadline) {
        try {
            if (live()) {
                // The peer, which may end this way too, learns of everything that was taken.
                if (inbound.released() != inbound.reportedReleased() && outbound.mayPostCredit()) {
                    postCredit();
                }
                its().disconnect(deadline);
            }
        } catch (VerbsException e) {
            // Everything was released: how the connection ends makes no difference any more.
        }
    }

    private RuntimeException unreleased(String what) {
        if (!live()) {
            return new ChannelException("disconnect: " + what + ": "
                    + (failure == null
                            ? "the peer has left; remedy: have it take everything before it disconnects"
                            : failure.getMessage()));
        }
        return Thread.currentThread().isInterrupted()
                ? new WaitInterruptedException("disconnect", what)
                : new DeadlineExceededException("disconnect", what + "; remedy: have it poll, or wait longer");
    }

    private boolean waits(int spins, Deadline deadline) {
        progress();
        if (spins % SPINS == 0) {
            CompletionWait.pause();
        }
        return live() && !deadline.passed() && !Thread.currentThread().isInterrupted();
    }

    private void drop() {
        deliver((channel, memory, offset, length) -> {}, Integer.MAX_VALUE);
    }

    /**
     * Aborts the connection and frees the memory of all messages, kept ones included: messages that the subscriber has
     * not released may not arrive. Closing again does nothing.
     */
    @Override
    public void close() {
        if (state != State.CLOSED) {
            state = State.CLOSED;
            publisher.claim().discard();
            group.closed(this);
            scope.close();
        }
    }

    @Override
    public String toString() {
        return "channel to " + peer() + " by " + way + ", " + state;
    }
}
