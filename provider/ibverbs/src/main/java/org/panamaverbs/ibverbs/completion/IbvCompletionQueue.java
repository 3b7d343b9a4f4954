package org.panamaverbs.ibverbs.completion;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.ext.NativeObject;
import org.panamaverbs.bindings.ibverbs.ibv_cq;
import org.panamaverbs.ibverbs.call.Failure;
import org.panamaverbs.ibverbs.call.Gate;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.call.Moderation;
import org.panamaverbs.ibverbs.call.Ops;
import org.panamaverbs.ibverbs.call.RawMemory;
import org.panamaverbs.ibverbs.completion.Markers.Marker;
import org.panamaverbs.ibverbs.context.EventTarget;
import org.panamaverbs.ibverbs.context.HeldParents;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.support.Attachments;
import org.panamaverbs.spi.support.CompletionWriter;
import org.panamaverbs.spi.support.Ours;
import org.panamaverbs.spi.watch.PollCounts;

/**
 * A completion queue. It has one entry more than the application is told, so that there is room for one of the
 * {@link Markers} even where the application uses all the others.
 */
public final class IbvCompletionQueue extends ManagedResource
        implements ChannelPlaces.Occupant, NativeObject, EventTarget {
    private static final CompletionWriter WRITER = CompletionWriter.get();
    // infiniband/verbs.h: enum ibv_wc_status
    private static final int IBV_WC_REM_INV_REQ_ERR = 9;
    private static final int IBV_WC_REM_ACCESS_ERR = 10;

    private final IbvContext context;
    private final Ops ops;
    private final MemorySegment handle;
    private final long address;
    private final @Nullable ChannelPlace place;
    private final boolean singleThreaded;
    private final EntryPoll source;
    final Gate gate;
    private final Markers markers;
    private final CompletionCounts counts;
    private final PollCounts polls;
    private final WcKind kind;
    private WcArray polled; // under the gate
    private final CompletionStash stash;
    private int capacity;
    private volatile boolean overrun;
    // Whether closing it destroys the native one, which may have been created elsewhere.
    private volatile boolean destroys = true;
    // Whether others know the native queue, though they are not to poll it; and whether others made it, who may.
    private volatile boolean lent;
    private volatile boolean adopted;
    // What hands its events out, which happens too often to make it each time.
    private final Optional<CompletionQueue> handed;

    /**
     * Takes over what polls it and the capacity that the application is told, and makes it known to its context;
     * {@code parent} is the context itself, or a parent domain of it.
     */
    IbvCompletionQueue(
            IbvContext context,
            int capacity,
            boolean singleThreaded,
            EntryPoll source,
            WcKind kind,
            MemorySegment handle,
            @Nullable ChannelPlace place,
            ManagedResource parent) {
        super(
                "completion queue " + context.nextNumber(),
                place == null ? new ManagedResource[] {parent} : new ManagedResource[] {parent, place.channel()});
        this.context = context;
        this.ops = context.ops();
        this.handle = handle;
        this.address = handle.address();
        this.place = place;
        this.capacity = capacity;
        this.singleThreaded = singleThreaded;
        this.source = source;
        this.kind = kind;
        boolean made = false;
        try {
            gate = new Gate();
            markers = new Markers();
            counts = new CompletionCounts();
            polled = WcArray.polled(kind, capacity);
            stash = new CompletionStash(kind);
            handed = Optional.of(this);
            context.objects().register(handle, this);
            if (place != null) {
                place.place().take(this);
            }
            polls = context.watch().completionQueue(); // last: its counts end when it is closed
            made = true;
        } finally {
            if (!made) {
                abandon();
            }
        }
    }

    /**
     * Returns {@code queue}, open and of {@code context}.
     *
     * @throws IllegalArgumentException if it is not of that context
     */
    public static IbvCompletionQueue own(CompletionQueue queue, IbvContext context) {
        IbvCompletionQueue ours =
                Ours.of("completion queue", queue, IbvCompletionQueue.class, its -> its.context, context);
        ours.requireOpen();
        return ours;
    }

    public MemorySegment handle() {
        return handle;
    }

    @Override
    public long address() {
        return address;
    }

    /** Takes note that others made the native queue; unless this {@code destroys} it, it is left to them at the end. */
    void adopted(boolean destroys) {
        adopted = true;
        this.destroys = destroys;
    }

    /** Tells whether others know the native queue: not all completions need be seen here, though they should be. */
    public boolean isLent() {
        return lent || adopted;
    }

    /** Tells whether others made the native queue: who that is may poll it. */
    public boolean isAdopted() {
        return adopted;
    }

    @Override
    public int poll(WorkCompletions completions) {
        if (!gate.enter()) {
            requireOpen();
        }
        try {
            return pollInside(completions);
        } finally {
            gate.leave();
        }
    }

    private int pollInside(WorkCompletions completions) {
        if (overrun) {
            throw new IllegalStateException(overrunText());
        }
        polls.begun();
        keepInterrupted();
        if (stash.count() != 0) {
            return stash.poll(completions);
        }
        int wanted = Math.min(completions.capacity(), polled.capacity());
        int kept = 0;
        do {
            int count = source.poll(polled, wanted);
            if (count <= 0) {
                return none(completions, count);
            }
            long end = polled.address(count);
            for (long at = polled.address(0); at != end; at += WcArray.BYTES) {
                if (!isMarker(at)) {
                    WorkCompletion into = WRITER.slot(completions, kept++);
                    polled.read(at, into);
                    if (!into.ok()) {
                        context.objects().sawError(this, into.qpNumber());
                        tell(into);
                    }
                }
            }
            counts.done(polled, source);
        } while (kept == 0); // only markers came: there may be more behind them
        WRITER.filled(completions, kept);
        source.filled = 0;
        return kept;
    }

    // What is flushed failed because of another request, or because the connection ended.
    private void tell(WorkCompletion failed) {
        if (failed.status() != WcStatus.WR_FLUSH_ERROR) {
            context.objects().requestFailed(this, failed.qpNumber(), failed.status(), failed.vendorError());
        }
    }

    /** Keeps for the application what the last poll has taken off, as when memory ended behind it; under the gate. */
    private void keepInterrupted() {
        EntryPoll poll = source;
        if (poll.interrupted()) {
            while (poll.taken < poll.filled) {
                keep(poll.taken);
                poll.taken++;
            }
            poll.taken = 0;
            poll.filled = 0;
        }
    }

    private int none(WorkCompletions completions, int count) {
        WRITER.filled(completions, 0);
        if (count < 0) {
            throw unpollable(count);
        }
        if (context.isLost()) {
            throw new IllegalStateException(resourceName() + " receives no more completions: " + context.lostText());
        }
        polls.foundNothing();
        return 0;
    }

    private IllegalStateException unpollable(int answer) {
        return new IllegalStateException(resourceName() + " can no longer be polled: the driver"
                + " returned " + answer + "; remedy: close it with its queue pairs and create them again, and check"
                + " dmesg for the cause");
    }

    /**
     * Tells whether the completion is of a request of ours, also one that nobody waits for any more: applications see
     * none of them.
     */
    private boolean isMarker(long at) {
        long wrId = WcArray.wrIdAt(at);
        if (!Markers.looksLikeOne(wrId)) {
            return false;
        }
        int status = RawMemory.getInt(at + WcArray.STATUS);
        // On iWARP a Write is complete when it is sent.
        boolean refused = (status == IBV_WC_REM_INV_REQ_ERR || status == IBV_WC_REM_ACCESS_ERR) && !context.isIwarp();
        if (!refused) {
            noteError(at); // before who awaits it goes on
            return markers.completed(wrId, status == 0);
        }
        // Whoever refuses the marker has taken all before it, which who awaits it learns before the failure.
        boolean ours = markers.completed(wrId, true);
        noteError(at);
        return ours;
    }

    private void noteError(long at) {
        if (RawMemory.getInt(at + WcArray.STATUS) != 0) {
            context.objects().sawError(this, WcArray.qpNumberAt(at));
        }
    }

    @Override
    public <R> R withNative(Function<MemorySegment, R> use) {
        try (HeldParents held = new HeldParents("a use of the native object", this)) {
            held.requireOpen();
            lent = true;
            return use.apply(MemorySegment.ofAddress(address));
        }
    }

    /** Returns whose completions say where they came from. */
    public DatagramNumbers datagrams() {
        return kind.datagrams();
    }

    @Override
    public Optional<CompletionQueue> handed() {
        return handed;
    }

    /**
     * Has completions of queue pair {@code number} give back {@code attachment}, null for nothing, from now on; those
     * that are in the queue now are of who had the number before, and are kept with what that was given.
     *
     * @return what takes it back, null for nothing
     */
    public Attachments.@Nullable Entry attach(int number, @Nullable Object attachment) {
        Attachments attachments = kind.attachments();
        if (attachments.of(number) != null || attachment != null) {
            keepAll();
        }
        if (attachment != null) {
            return attachments.put(number, attachment);
        }
        attachments.removeNumber(number);
        return null;
    }

    /**
     * Takes {@code entry} back after its native queue pair was destroyed: what the device left in the queue is kept
     * with what it was given. Does nothing if another queue pair has the number by now, or it was done before.
     */
    public void detach(Attachments.Entry entry) {
        if (kind.attachments().has(entry)) {
            keepAll();
            kind.attachments().remove(entry);
        }
    }

    /** Returns the markers, and who can have completions here. */
    public Markers markers() {
        return markers;
    }

    /** Returns what counts whose completions come here. */
    public CompletionCounts counts() {
        return counts;
    }

    /** Tells whether completions say how long a message was. */
    public boolean tellsLengths() {
        return kind.lengths();
    }

    /** Takes a marker; returns null if there is no room for one now, or the queue is being closed. */
    @Nullable
    Marker takeMarker(long owner) {
        if (!gate.enter()) {
            return null;
        }
        try {
            return markers.take(owner, nativeCapacity(), capacity);
        } finally {
            gate.leave();
        }
    }

    /** Keeps completions for the application, until {@code awaited} comes or there are no more. */
    void takeToStash(@Nullable Marker awaited) {
        if (!gate.enter()) {
            return; // the queue is being closed, after its queue pairs
        }
        try {
            keepInterrupted();
            // At most a queue full of them: what comes beyond waits in the queue itself.
            boolean more = true;
            while (more && (awaited == null || !awaited.isDone()) && stash.count() <= capacity) {
                more = takeOne();
            }
        } finally {
            gate.leave();
        }
    }

    /** Keeps for the application all completions that are in the native queue now. */
    public void keepAll() {
        if (!gate.enter()) {
            return;
        }
        try {
            keepInterrupted();
            // Not for ever, where others come all the time: those that were there are gone then.
            int left = nativeCapacity();
            while (left > 0) {
                int count = source.poll(polled, Math.min(left, polled.capacity()));
                keepInterrupted();
                left = count > 0 ? left - count : 0;
            }
        } finally {
            gate.leave();
        }
    }

    /** Takes one completion off for the application, if there is one. */
    private boolean takeOne() {
        boolean taken = source.poll(polled, 1) > 0;
        if (taken) {
            keep(0);
            source.filled = 0;
        }
        return taken;
    }

    private void keep(int index) {
        long at = polled.address(index);
        if (!isMarker(at)) {
            noteError(at); // now, not when the application gets it: then its queue pair may be another
            stash.makeRoom();
            counts.done(polled, source, index);
            stash.add(polled, index);
        }
    }

    @Override
    public void arm(boolean solicitedOnly) {
        if (!gate.enter()) {
            requireOpen();
        }
        try {
            if (place == null) {
                throw new IllegalStateException(resourceName() + " has no completion channel; remedy: create it with"
                        + " CompletionQueueConfig.withChannel");
            }
            if (overrun) {
                throw new IllegalStateException(overrunText());
            }
            keepInterrupted();
            int errno =
                    ops.reqNotifyCq(address, solicitedOnly && !context.quirks().noSolicitedEvents() ? 1 : 0);
            if (errno != 0) {
                throw Failure.of("ibv_req_notify_cq", resourceName(), errno);
            }
        } finally {
            gate.leave();
        }
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public void resize(int newCapacity) {
        requireOpen();
        context.capabilities().require(Feature.CQ_RESIZE, context.device());
        int most = context.capabilities().maxCqe();
        context.limits().completions(newCapacity);
        if (!gate.enter()) {
            requireOpen();
        }
        try {
            keepInterrupted();
            IbvCalls.RESIZE_CQ.check(
                    resourceName() + " to " + newCapacity + " completions", handle, Math.min(newCapacity + 1, most));
            capacity = Math.max(newCapacity, nativeCapacity() - 1);
            polled = WcArray.polled(kind, capacity);
        } finally {
            gate.leave();
        }
    }

    @Override
    public void moderate(int count, int micros) {
        requireOpen();
        context.capabilities().require(Feature.CQ_MODERATION, context.device());
        context.limits().checked("count", count, 0, 0xFFFF);
        context.limits().checked("micros", micros, 0, 0xFFFF);
        if (!gate.enter()) {
            requireOpen();
        }
        try {
            Moderation.set(context.handle(), resourceName(), handle, count, micros);
        } finally {
            gate.leave();
        }
    }

    /**
     * Keeps polls out until the gate is left, if the driver was told that one thread uses the queue: then it does not
     * lock it either when it takes completions of a queue pair out that is reset or destroyed. What a poll has taken
     * off is kept before, while the number of its queue pair is not yet another's.
     */
    boolean holdPolls() {
        if (!gate.enter()) {
            return false;
        }
        boolean held = false;
        try {
            keepInterrupted();
            held = singleThreaded;
            return held;
        } finally {
            if (!held) {
                gate.leave();
            }
        }
    }

    /** Hears from the device that completions were lost: what depends on them cannot go on. */
    @Override
    public void raised(AsyncEvent.Type type) {
        if (type != AsyncEvent.Type.CQ_ERROR) {
            return;
        }
        overrun = true;
        context.objects().failQueuePairsOf(this, overrunText());
    }

    @Override
    public String told(AsyncEvent.Type type) {
        return type == AsyncEvent.Type.CQ_ERROR ? overrunText() : resourceName();
    }

    private String overrunText() {
        return resourceName() + " of device " + context.device() + " was overrun: more than " + capacity
                + " completions arrived before they were polled, some are lost and its queue pairs fail; remedy: create"
                + " a queue for as many as all its queue pairs can have outstanding, poll sooner, or signal"
                + " fewer requests";
    }

    /** Returns how many completions the native queue holds at most; under the gate, or who makes it. */
    private int nativeCapacity() {
        return ibv_cq.cqe(handle);
    }

    @Override
    protected void destroy() {
        gate.shut();
        context.objects().forget(handle);
        if (place != null) {
            place.channel().settle(handle);
        }
        if (destroys) {
            context.destroy(IbvCalls.DESTROY_CQ, resourceName(), handle);
        }
        context.watch().remove(polls);
    }

    @Override
    protected void release() {
        context.forgetEvents(this);
        if (place != null) {
            place.channel().places().giveBack(place.place());
        }
    }
}
