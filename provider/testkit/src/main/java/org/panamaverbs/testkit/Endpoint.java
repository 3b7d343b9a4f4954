package org.panamaverbs.testkit;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.device.DeviceInfo.Transport;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.memory.Resources;

/**
 * One side of a test: an open device with a protection domain, a polled completion queue, and a buffer with all rights.
 */
public final class Endpoint {
    private static final int INLINE_BYTES = 64;

    private final Resources resources;
    private final Poller poller;
    private final Verbs verbs;
    private final Set<Guarantee> missing;
    private final ProtectionDomain domain;
    private final CompletionQueue queue;
    private final Inbox inbox;
    private final RegisteredBuffer buffer;

    Endpoint(Verbs verbs, Set<Guarantee> missing, Resources resources, Poller poller, PairConfig config) {
        this.verbs = verbs;
        this.missing = missing;
        this.resources = resources;
        this.poller = poller;
        domain = resources.add(verbs.protectionDomain());
        queue = resources.add(verbs.completionQueue(
                Math.min(config.queueCapacity(), verbs.capabilities().maxCqe())));
        inbox = poller.watch(queue);
        buffer = resources.add(domain.allocate(config.bufferBytes(), everyRight()));
    }

    /** Returns the device. */
    public Verbs verbs() {
        return verbs;
    }

    /** Returns what the device can do. */
    public Capabilities capabilities() {
        return verbs.capabilities();
    }

    /** Tells whether the device ends a connection by a Terminate, as iWARP alone does. */
    boolean terminates() {
        return verbs.device().transport() == Transport.IWARP;
    }

    /** Tells whether the device promises {@code guarantee} and is not known to break it. */
    public boolean keeps(Guarantee guarantee) {
        return !missing.contains(guarantee);
    }

    /** Returns the protection domain. */
    public ProtectionDomain domain() {
        return domain;
    }

    /** Returns the completion queue of the sends and receives. */
    public CompletionQueue queue() {
        return queue;
    }

    /** Returns the completions of {@link #queue()}. */
    public Inbox inbox() {
        return inbox;
    }

    /** Waits for the successes of {@code wrIds}, in this order unless the device breaks that guarantee. */
    public void takeAllSent(List<Long> wrIds) {
        if (keeps(Guarantee.COMPLETION_ORDER)) {
            wrIds.forEach(inbox::takeOk);
        } else {
            inbox.takeAllOkInAnyOrder(wrIds);
        }
    }

    /** Returns the buffer. */
    public RegisteredBuffer buffer() {
        return buffer;
    }

    /** Returns the whole buffer as the peer sees it. */
    public RemoteBuffer remote() {
        return buffer.remote();
    }

    /** Returns every right that the device can grant over a buffer. */
    public Access[] everyRight() {
        List<Access> rights = new ArrayList<>(List.of(Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE));
        if (capabilities().has(Feature.ATOMICS)) {
            rights.add(Access.REMOTE_ATOMIC);
        }
        if (capabilities().maxMw() > 0) {
            rights.add(Access.MEMORY_WINDOW_BIND);
        }
        return rights.toArray(Access[]::new);
    }

    /** Returns the suite's queue pair configuration: the API's default, cut to the capabilities, with all rights. */
    public QueuePairConfig queuePairConfig() {
        Capabilities can = capabilities();
        int depth = Math.min(128, can.maxQpWr());
        int sge = Math.min(4, can.maxSge());
        return QueuePairConfig.of(domain, queue)
                .withDepth(depth, depth)
                .withSge(sge, sge)
                .withInline(Math.min(INLINE_BYTES, can.maxInlineBytes()))
                .withAllRemoteAccess();
    }

    /** Makes a queue pair in the domain, closed with the test; skips the test if it is RC and the device has none. */
    public QueuePair newQueuePair(UnaryOperator<QueuePairConfig> change) {
        QueuePairConfig config = change.apply(queuePairConfig());
        boolean has = capabilities().queuePairTypes().contains(config.type());
        Conformance.requires(has || config.type() != QueuePairType.RC, verbs, "lacks queue pairs of type RC");
        boolean unchanged = config.maxInlineBytes() == queuePairConfig().maxInlineBytes();
        int most = capabilities().maxInlineBytes(config.type());
        return resources.add(
                domain.queuePair(unchanged && config.maxInlineBytes() > most ? config.withInline(most) : config));
    }

    /** Makes another completion queue, closed with the test. */
    public CompletionQueue newQueue(CompletionQueueConfig config) {
        return resources.add(verbs.completionQueue(config));
    }

    /** Makes another completion queue that is polled with the others. */
    public CompletionQueue newQueue(int capacity) {
        return newQueue(CompletionQueueConfig.of(capacity));
    }

    /** Polls {@code other} with the rest. */
    public Inbox watch(CompletionQueue other) {
        return poller.watch(other);
    }

    /** Returns the suite's connection set-up: the API's default, cut to the capabilities. */
    public ConnectionConfig connectionConfig() {
        Capabilities can = capabilities();
        return ConnectionConfig.defaults()
                .withDepths(Math.min(16, can.maxResponderResources()), Math.min(16, can.maxInitiatorDepth()));
    }

    /** Copies {@code data} into the buffer. */
    public void put(long offset, byte[] data) {
        MemorySegment.copy(data, 0, buffer.segment(), ValueLayout.JAVA_BYTE, offset, data.length);
    }

    /** Returns a copy of {@code length} bytes of the buffer. */
    public byte[] get(long offset, int length) {
        return buffer.segment().asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    /** Returns the 8 bytes at {@code offset} of the buffer in native order. */
    public long getLong(long offset) {
        return buffer.segment().get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
    }

    /** Sets the 8 bytes at {@code offset} of the buffer in native order. */
    public void putLong(long offset, long value) {
        buffer.segment().set(ValueLayout.JAVA_LONG_UNALIGNED, offset, value);
    }
}
