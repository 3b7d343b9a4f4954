package org.panamaverbs.iwarp.core;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.iwarp.core.SimInbox.Message;
import org.panamaverbs.iwarp.core.SimRequests.Request;

/**
 * What one side asks of the other: random requests, and what they must do. The memory that a flow changes is changed by
 * nobody else, so the outcome does not depend on how the two flows interleave.
 */
final class SimFlow {
    private static final int INLINE = 64;
    private static final int PIECES = 4;

    /** A Read that is not answered yet, of memory that may change. */
    private record Exposed(SimZone.Change sink, SimZone zone, int offset) {}

    final SplittableRandom random;
    final Side here;
    final SimRequests requests;
    final SimInbox inbox;
    final SimWindows windows;
    final SimMemory memory;
    private final SimSource source;
    private final SimAtomics atomics;
    private final SimStory story;
    private final boolean signalAll;
    private final boolean mayRead;
    private final List<Exposed> exposed = new ArrayList<>();
    private int sinkUsed;
    private boolean held;

    SimFlow(
            SplittableRandom random,
            SimStory story,
            Side here,
            SimRequests requests,
            SimMemory memory,
            SimInbox inbox,
            SimWindows windows,
            boolean signalAll,
            boolean mayRead) {
        this.random = random;
        this.story = story;
        this.here = here;
        this.requests = requests;
        this.memory = memory;
        this.inbox = inbox;
        this.windows = windows;
        this.signalAll = signalAll;
        this.mayRead = mayRead;
        source = new SimSource(memory.source, random);
        atomics = new SimAtomics(this);
    }

    /** Does one thing at random. */
    void act() {
        switch (random.nextInt(mayRead ? 15 : 11)) {
            case 0, 1, 2 -> inbox.post();
            case 3, 4 -> send(false);
            case 5, 6 -> write(false);
            case 7 -> write(true);
            case 8 -> send(true);
            case 9 -> windows.act();
            case 10 -> {
                if (random.nextInt(4) == 0) {
                    holdOrPublish();
                } else {
                    immediate();
                }
            }
            case 11, 12, 13 -> read();
            default -> atomics.act();
        }
    }

    /** Posts a Write of no octets, which the peer may be waiting for. */
    void open() {
        post(SendOpcode.RDMA_WRITE, WcOpcode.RDMA_WRITE, "nothing", 0, 0, 0, 0, SendFlag.SIGNALED, 0);
    }

    private void holdOrPublish() {
        if (held) {
            publish();
        } else {
            held = true;
            here.stream.sends().holds = true;
        }
    }

    /** Lets what was withheld go. */
    void publish() {
        if (held) {
            held = false;
            here.stream.sends().holds = false;
            here.stream.sends().publish();
        }
    }

    private int size() {
        return switch (random.nextInt(6)) {
            case 0 -> 0;
            case 1 -> 1 + random.nextInt(16);
            case 2, 3 -> random.nextInt(400);
            case 4 -> random.nextInt(1500);
            default -> random.nextInt(5000);
        };
    }

    int flags() {
        boolean signaled = random.nextInt(3) > 0;
        return (signaled ? SendFlag.SIGNALED : 0) | (random.nextInt(8) == 0 ? SendFlag.FENCE : 0);
    }

    /** Adds a request that was accepted. */
    Request add(WcOpcode opcode, String text, long bytes, int flags, boolean answered) {
        boolean signaled = signalAll || (flags & SendFlag.SIGNALED) != 0;
        Request request =
                new Request(requests.count(), opcode, bytes, signaled, answered, (over, good) -> source.giveBack(over));
        source.lend(request);
        requests.add(request);
        if ((flags & SendFlag.FENCE) != 0) {
            exposed.clear();
        }
        if (story.isTold()) {
            story.tell(
                    "%s: posts #%d %s of %d octets%s%s: %s%s",
                    requests.name(),
                    request.index,
                    opcode,
                    bytes,
                    signaled ? "" : ", unsignaled",
                    (flags & SendFlag.FENCE) != 0 ? ", fenced" : "",
                    text,
                    held ? ", held" : "");
        }
        return request;
    }

    /** Posts what carries octets of the source, plainly, gathered or inline; null if the queue is full. */
    @Nullable
    Request post(
            SendOpcode operation,
            WcOpcode opcode,
            String text,
            int from,
            int length,
            long to,
            int rkey,
            int flags,
            long immediate) {
        SendCommands sends = here.stream.sends();
        SimZone zone = memory.source;
        int id = requests.count();
        int status;
        boolean inline = length <= INLINE && random.nextInt(3) == 0;
        if (inline && random.nextBoolean()) {
            status = here.posts.postInline(operation, id, zone.memory.memory, from, length, to, rkey, immediate, flags);
        } else if (random.nextInt(3) == 0) {
            SgList list = gather(from, length);
            status = sends.post(operation, id, list, to, rkey, immediate, inline ? flags | SendFlag.INLINE : flags);
        } else {
            int all = inline ? flags | SendFlag.INLINE : flags;
            status = here.posts.post(operation, id, zone.address(from), length, zone.stag(), to, rkey, immediate, all);
        }
        if (status == PostStatus.INVALID && inline && zone.isSealed()) {
            // What cannot be copied on posting is refused there.
            return null;
        }
        return requests.accepted(status) ? add(opcode, inline ? text + ", inline" : text, length, flags, false) : null;
    }

    private SgList gather(int from, int length) {
        SgList list = SgList.ofCapacity(PIECES);
        int done = 0;
        for (int i = 1; i < PIECES && random.nextBoolean(); i++) {
            int piece = random.nextInt(length - done + 1);
            list.add(memory.source.address(from + done), piece, memory.source.stag());
            done += piece;
        }
        return list.add(memory.source.address(from + done), length - done, memory.source.stag());
    }

    private void send(boolean invalidating) {
        int room = inbox.room();
        SimWindows.Window window = invalidating ? windows.lent(true) : null;
        if (room < 0 || (invalidating && window == null)) {
            return;
        }
        int length = Math.min(size(), room);
        int from = source.take(length);
        if (from < 0) {
            return;
        }
        boolean solicited = random.nextBoolean();
        int flags = flags() | (solicited ? SendFlag.SOLICITED : 0);
        // RFC 5040 §5.5: a Send does not wait for the Reads before it.
        flags |= window != null && window.lastRead > requests.answeredUpTo() ? SendFlag.FENCE : 0;
        byte[] octets = memory.source.latest(from, length);
        long stag = window == null ? 0 : Integer.toUnsignedLong(window.stag);
        SendOpcode operation = window == null ? SendOpcode.SEND : SendOpcode.SEND_WITH_INVALIDATE;
        String text = window == null ? "" : "invalidates 0x%08x".formatted(window.stag);
        Request request = post(operation, WcOpcode.SEND, text, from, length, 0, 0, flags, stag);
        if (request != null) {
            if (window != null) {
                windows.giveBack(window);
            }
            inbox.expect(new Message(request, WcOpcode.RECV, length, solicited, window != null, stag), octets);
        }
    }

    private void immediate() {
        if (inbox.room() < 0) {
            return;
        }
        long value = random.nextLong();
        boolean solicited = random.nextBoolean();
        int flags = flags() | (solicited ? SendFlag.SOLICITED : 0);
        int id = requests.count();
        if (requests.accepted(here.stream.sends().post(SendOpcode.IMMEDIATE, id, 0, 0, 0, 0, 0, value, flags))) {
            Request request = add(WcOpcode.IMMEDIATE, "0x%016x".formatted(value), 0, flags, false);
            inbox.expect(new Message(request, WcOpcode.RECV_IMMEDIATE, 0, solicited, false, value));
        }
    }

    private void write(boolean withImmediate) {
        SimWindows.Window window = random.nextInt(3) == 0 ? windows.lent(false) : null;
        SimZone zone = window == null ? memory.remote : memory.windowed;
        int length = Math.min(size(), window == null ? zone.size() : window.length);
        int from = source.take(length);
        if (from < 0 || (withImmediate && inbox.room() < 0)) {
            return;
        }
        int to = window == null
                ? random.nextInt(zone.size() - length + 1)
                : window.offset + random.nextInt(window.length - length + 1);
        boolean solicited = withImmediate && random.nextBoolean();
        int flags = flags() | (solicited ? SendFlag.SOLICITED : 0);
        long value = withImmediate ? random.nextLong() : 0;
        byte[] octets = memory.source.latest(from, length);
        Request request = post(
                withImmediate ? SendOpcode.RDMA_WRITE_WITH_IMMEDIATE : SendOpcode.RDMA_WRITE,
                WcOpcode.RDMA_WRITE,
                story.isTold() ? "to " + zone.name + " at " + to : "",
                from,
                length,
                zone.address(to),
                window == null ? zone.stag() : window.stag,
                flags,
                value);
        if (request == null) {
            return;
        }
        changes(request, zone, to, false, octets);
        if (window != null) {
            window.lastWrite = request.index;
        }
        if (withImmediate) {
            inbox.expect(new Message(request, WcOpcode.RECV_IMMEDIATE, 0, solicited, false, value));
        }
    }

    /** The request puts {@code octets} there; Reads that it does not wait for may see them (RFC 5040 §5.5). */
    void changes(Request request, SimZone zone, int to, boolean queued, byte... octets) {
        if (octets.length > 0) {
            request.there.add(zone.change(to, queued, octets));
            if (!queued) {
                for (Exposed read : exposed) {
                    if (read.zone == zone) {
                        read.sink.mayAlsoSee(to - read.offset, octets);
                    }
                }
            }
        }
    }

    private void read() {
        SimWindows.Window window = random.nextInt(4) == 0 ? windows.lent(false) : null;
        SimZone zone = window != null
                ? memory.windowed
                : switch (random.nextInt(5)) {
                    case 0, 1 -> memory.fixed;
                    case 2, 3 -> memory.remote;
                    default -> memory.cells;
                };
        int most = Math.min(zone.size(), memory.sink.size() - sinkUsed);
        int length = Math.min(size(), window == null ? most : Math.min(most, window.length));
        int offset = window == null
                ? random.nextInt(zone.size() - length + 1)
                : window.offset + random.nextInt(window.length - length + 1);
        int flags = flags();
        Request request = postRead(zone, offset, length, window == null ? zone.stag() : window.stag, flags);
        if (request == null) {
            return;
        }
        if (window != null) {
            window.lastRead = request.index;
        }
        if (length > 0) {
            SimZone.Change sink = memory.sink.change(sinkUsed, false, zone.latest(offset, length));
            request.here.add(sink);
            exposed.add(new Exposed(sink, zone, offset));
        }
        // Between two sinks there may be octets that nothing may touch.
        sinkUsed = Math.min(memory.sink.size(), sinkUsed + length + random.nextInt(3));
    }

    /** Posts a Read into the free part of the sink; null if the queue is full. */
    @Nullable
    Request postRead(SimZone zone, int offset, int length, int stag, int flags) {
        int id = requests.count();
        int status = here.posts.post(
                SendOpcode.RDMA_READ,
                id,
                memory.sink.address(sinkUsed),
                length,
                memory.sink.stag(),
                zone.address(offset),
                stag,
                0,
                flags);
        String text = story.isTold() ? "of " + zone.name + " at " + offset : "";
        return requests.accepted(status) ? add(WcOpcode.RDMA_READ, text, length, flags, true) : null;
    }

    /** Takes octets to send; -1 if there are none now. */
    int take(int length) {
        return source.take(length);
    }

    /** Looks at what has completed. */
    void poll() {
        requests.poll();
        inbox.poll(windows);
    }
}
