package org.panamaverbs.cli.demo;

import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.cli.command.CommandFailure;
import org.panamaverbs.cli.command.FailedWork;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.memory.Resources;

/**
 * One peer of the demo: its queue pair, its memory, and the waits on them. Used by one thread.
 *
 * <p>The data buffer of each peer has the same parts: the payload with a guard behind it, results of atomics, the cell
 * that atomics target, and a part for a memory window.
 */
final class Endpoint implements AutoCloseable {
    /** The longest payload in bytes. */
    static final int MAX_PAYLOAD = 1 << 20;
    /** Where the payload begins in the data buffer. */
    static final long PAYLOAD = 0;
    /** Bytes behind a payload that must stay as they were. */
    static final int GUARD = 64;
    /** Where the results of atomics land. */
    static final long RESULT = MAX_PAYLOAD + 4096;
    /** Where the cell is that atomics target. */
    static final long CELL = RESULT + 4096;
    /** Where the part for a memory window begins. */
    static final long WINDOW = CELL + 4096;
    /** Bytes of the part for a memory window. */
    static final int WINDOW_BYTES = 64;

    /** The id of the operation under test. */
    static final long WORK = 1;
    /** The id of the receive that the operation under test consumes. */
    static final long DATA_RECEIVE = 2;

    private static final long CONTROL_SEND = 3;
    private static final long CONTROL_RECEIVE = 4;
    private static final long AUXILIARY = 5;
    private static final int DEPTH = 32;

    private final Verbs verbs;
    private final Deadline deadline;
    private final Resources resources = new Resources();
    private final Deque<Arrival> arrivals = new ArrayDeque<>();
    private final WorkCompletions completions = WorkCompletions.ofCapacity(16);
    private final MemorySegment heap = MemorySegment.ofArray(new byte[MAX_PAYLOAD]);
    private final SgList pieces;
    private final ProtectionDomain domain;
    private final CompletionChannel channel;
    private final CompletionQueue queue;
    private final RegisteredBuffer data;
    private final RegisteredBuffer controlOut;
    private final RegisteredBuffer controlIn;
    private final QueuePair queuePair;
    private @Nullable MemoryWindow window;

    Endpoint(Verbs verbs, Deadline deadline) {
        this.verbs = verbs;
        this.deadline = deadline;
        boolean complete = false;
        try {
            Capabilities can = verbs.capabilities();
            int sge = Math.min(3, can.maxSge());
            pieces = SgList.ofCapacity(sge);
            domain = resources.add(verbs.protectionDomain());
            channel = resources.add(verbs.completionChannel());
            queue = resources.add(
                    verbs.completionQueue(CompletionQueueConfig.of(2 * DEPTH).withChannel(channel)));
            data = resources.add(domain.allocate(WINDOW + 4096, rights(can)));
            controlOut = resources.add(domain.allocate(ControlMessage.MAX_BYTES, Access.LOCAL_WRITE));
            controlIn = resources.add(domain.allocate(ControlMessage.MAX_BYTES, Access.LOCAL_WRITE));
            queuePair = resources.add(domain.queuePair(QueuePairConfig.of(domain, queue)
                    .withDepth(DEPTH, DEPTH)
                    .withSge(sge, sge)
                    .withInline(Math.min(128, can.maxInlineBytes()))
                    .withAllRemoteAccess()));
            complete = true;
        } finally {
            if (!complete) {
                close();
            }
        }
    }

    private static Access[] rights(Capabilities can) {
        List<Access> rights = new ArrayList<>(List.of(Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE));
        if (can.has(Feature.ATOMICS)) {
            rights.add(Access.REMOTE_ATOMIC);
        }
        if (can.maxMw() > 0) {
            rights.add(Access.MEMORY_WINDOW_BIND);
        }
        return rights.toArray(new Access[0]);
    }

    Capabilities capabilities() {
        return verbs.capabilities();
    }

    QueuePair queuePair() {
        return queuePair;
    }

    RegisteredBuffer data() {
        return data;
    }

    /** Returns memory on the heap, for inline data. */
    MemorySegment heap() {
        return heap;
    }

    /** Takes over the connection of the queue pair. */
    void connected(Connection connection) {
        resources.add(connection);
    }

    /** Fills the first {@code length} bytes of the payload. */
    void fillPayload(long length, long seed) {
        Pattern.fill(data.segment(), PAYLOAD, length, seed);
    }

    /** Blanks the first {@code length} bytes of the payload and the guard behind them. */
    void blankPayload(long length) {
        data.segment().asSlice(PAYLOAD, length + GUARD).fill(Pattern.BLANK);
    }

    /**
     * Returns null if the payload is {@code length} bytes of the seed's pattern and the guard is blank, else what
     * differs.
     */
    @Nullable
    String payloadDifference(long length, long seed) {
        String difference = Pattern.difference(data.segment(), PAYLOAD, length, seed);
        return difference != null ? difference : Pattern.notBlank(data.segment(), PAYLOAD + length, GUARD);
    }

    /** Posts the receive for the operation under test, scattering into as many pieces as {@code scattered} says. */
    void postDataReceive(long length, int scattered) {
        int status;
        if (length == 0) {
            status = queuePair.postRecv(DATA_RECEIVE, pieces.clear());
        } else {
            status = queuePair.postRecv(DATA_RECEIVE, cutPayload(length, scattered));
        }
        PostStatus.check(status);
    }

    /** Returns the payload cut into {@code count} pieces of uneven length. */
    SgList cutPayload(long length, int count) {
        pieces.clear();
        long offset = 0;
        for (int i = 0; i < count; i++) {
            long piece = i == count - 1 ? length - offset : Math.min(length - offset, length / count + 1 - 2L * i);
            pieces.add(data, PAYLOAD + offset, piece);
            offset += piece;
        }
        return pieces;
    }

    /** Makes the next solicited receive raise an event, and forgets events of before. */
    void armSolicited() {
        boolean stale;
        do {
            stale = channel.await(Deadline.now()).isPresent();
        } while (stale);
        queue.arm(true);
    }

    /** Returns null if an event was raised exactly if {@code wanted}, else what is wrong. */
    @Nullable
    String solicitedEventDifference(boolean wanted) {
        boolean raised = channel.await(wanted ? deadline : Deadline.now()).isPresent();
        if (raised == wanted) {
            return null;
        }
        return wanted ? "no solicited event was raised" : "an event was raised without solicitation";
    }

    /** Binds the window to {@code length} bytes from {@code offset}, and waits until peers can use it. */
    RemoteBuffer bindNow(long offset, long length, Access... access) {
        PostStatus.check(queuePair.bind(AUXILIARY, window(), data, offset, length, SIGNALED, access));
        await(AUXILIARY);
        return window().remote();
    }

    /** Makes a new window of the best type, after closing the last one. */
    MemoryWindow newWindow() {
        closeWindow();
        MemoryWindow fresh = domain.memoryWindow(
                capabilities().has(Feature.MEMORY_WINDOW_TYPE_2) ? MemoryWindow.Type.TYPE_2 : MemoryWindow.Type.TYPE_1);
        window = fresh;
        return fresh;
    }

    /** Returns the window that was made last. */
    MemoryWindow window() {
        if (window == null) {
            throw new IllegalStateException("there is no window");
        }
        return window;
    }

    /** Closes the window if there is one. */
    void closeWindow() {
        if (window != null) {
            window.close();
            window = null;
        }
    }

    /** Writes {@code length} bytes of the payload into {@code remote}, and waits. */
    void writeNow(long length, RemoteBuffer remote) {
        PostStatus.check(queuePair.write(AUXILIARY, data, PAYLOAD, length, remote, 0, SIGNALED));
        await(AUXILIARY);
    }

    /** Reads {@code length} bytes of {@code remote} into the payload, and waits. */
    void readNow(long length, RemoteBuffer remote) {
        PostStatus.check(queuePair.read(AUXILIARY, data, PAYLOAD, length, remote, 0, SIGNALED));
        await(AUXILIARY);
    }

    /** Posts the receive of the next control message. */
    void postControlReceive() {
        PostStatus.check(queuePair.recv(CONTROL_RECEIVE, controlIn));
    }

    void send(ControlMessage message) {
        var buffer = controlOut.segment().asByteBuffer();
        message.encode(buffer);
        PostStatus.check(queuePair.send(CONTROL_SEND, controlOut, 0, buffer.position(), SIGNALED));
        await(CONTROL_SEND);
    }

    ControlMessage receive() {
        await(CONTROL_RECEIVE);
        return ControlMessage.decode(controlIn.segment().asByteBuffer());
    }

    /**
     * Waits for the completion of request {@code wrId}.
     *
     * @throws CommandFailure if any request fails
     */
    Arrival await(long wrId) {
        while (true) {
            for (Iterator<Arrival> i = arrivals.iterator(); i.hasNext(); ) {
                Arrival arrival = i.next();
                if (arrival.wrId() == wrId) {
                    i.remove();
                    return arrival;
                }
            }
            int count = queue.poll(completions, deadline);
            for (int i = 0; i < count; i++) {
                WorkCompletion completion = completions.get(i);
                if (!completion.ok()) {
                    throw new CommandFailure(FailedWork.explain(completion, queuePair));
                }
                arrivals.add(Arrival.of(completion));
            }
        }
    }

    /** Closes everything in the reverse order of its making. */
    @Override
    public void close() {
        resources.add(this::closeWindow);
        resources.close((resource, failure) -> new CommandFailure("cannot close: " + failure.getMessage(), failure));
    }
}
