package org.panamaverbs.iwarp.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.iwarp.core.SimRequests.Request;

/** The receive queue of one side as the model sees it: receives, and the messages that are on their way to them. */
final class SimInbox {
    private static final int MAX_BYTES = 1500;
    private static final int MAX_PIECES = 4;

    private record Piece(int offset, int length) {}

    private record Receive(List<Piece> pieces, int bytes) {}

    /** A message, by what its completion must say. */
    record Message(Request request, WcOpcode opcode, int bytes, boolean solicited, boolean invalidates, long value) {}

    private final Side side;
    private final String name;
    private final SimStory story;
    private final SplittableRandom random;
    private final SimZone zone;
    private final SimRequests sender;
    private final boolean shared;
    private final List<Receive> receives = new ArrayList<>();
    private final List<Message> messages = new ArrayList<>();
    private int used;
    private int seen;
    private boolean failed;
    private boolean shut;

    SimInbox(
            Side side,
            String name,
            SimStory story,
            SplittableRandom random,
            SimZone zone,
            SimRequests sender,
            boolean shared) {
        this.side = side;
        this.name = name;
        this.story = story;
        this.random = random;
        this.zone = zone;
        this.sender = sender;
        this.shared = shared;
    }

    /** Posts no receives any more. */
    void shut() {
        shut = true;
    }

    /** Posts a receive of random pieces, if there is memory for it. */
    void post() {
        int count = random.nextInt(4) == 0 ? random.nextInt(MAX_PIECES + 1) : 1;
        List<Piece> pieces = new ArrayList<>();
        int at = used;
        int bytes = 0;
        for (int i = 0; i < count; i++) {
            int length = random.nextInt(5) == 0 ? 0 : random.nextInt(MAX_BYTES / count);
            pieces.add(new Piece(at, length));
            at += length + random.nextInt(3);
            bytes += length;
        }
        if (shut || at > zone.size()) {
            return;
        }
        int status;
        long id = receives.size();
        if (count == 1 && random.nextBoolean()) {
            Piece only = pieces.getFirst();
            status = postOne(id, zone.address(only.offset), only.length);
        } else {
            SgList list = SgList.ofCapacity(MAX_PIECES);
            pieces.forEach(piece -> list.add(zone.address(piece.offset), piece.length, zone.stag()));
            status = shared ? side.ring.post(id, list) : side.stream.receives().post(id, list);
        }
        if (status == PostStatus.QUEUE_FULL && side.ring.available() == side.ring.capacity()) {
            return;
        }
        PostStatus.check(status);
        story.tell("%s: posts receive #%d of %s", name, id, pieces);
        used = at;
        receives.add(new Receive(pieces, bytes));
    }

    private int postOne(long id, long address, long length) {
        return shared
                ? side.ring.post(id, address, length, zone.stag())
                : side.stream.receives().post(id, address, length, zone.stag());
    }

    /** How long the next message may be; -1 if there is no receive for it. */
    int room() {
        return messages.size() < receives.size() ? receives.get(messages.size()).bytes : -1;
    }

    /** A message is on its way; its octets, as far as they fit, go into the next receive. */
    void expect(Message message, byte... payload) {
        int done = 0;
        for (Piece piece :
                messages.size() < receives.size() ? receives.get(messages.size()).pieces : List.<Piece>of()) {
            int length = Math.min(piece.length, payload.length - done);
            if (length > 0) {
                byte[] part = Arrays.copyOfRange(payload, done, done + length);
                message.request.there.add(zone.change(piece.offset, false, part));
                done += length;
            }
        }
        messages.add(message);
    }

    /** Looks at the new completions. */
    void poll(SimWindows windows) {
        for (List<Wc> all = side.receives.list; seen < all.size(); seen++) {
            Wc wc = all.get(seen);
            story.tell("%s: receive #%d completes: %s %s", name, wc.wrId(), wc.opcode(), wc.status());
            if (wc.wrId() != seen || seen >= receives.size() || wc.qpNumber() != side.qpNumber) {
                throw new AssertionError("%s: expected the completion of receive #%d of %d, found %s"
                        .formatted(name, seen, receives.size(), wc));
            }
            if (!wc.ok()) {
                failed = true;
                continue;
            }
            if (failed || seen >= messages.size()) {
                throw new AssertionError("%s: receive #%d succeeds %s"
                        .formatted(name, seen, failed ? "behind one that failed" : "though nothing was sent"));
            }
            deliver(messages.get(seen), wc, windows);
        }
    }

    private void deliver(Message message, Wc wc, SimWindows windows) {
        boolean immediate = message.opcode == WcOpcode.RECV_IMMEDIATE;
        boolean same = wc.opcode() == message.opcode
                && wc.byteCount() == message.bytes
                && wc.has(CompletionSink.SOLICITED) == message.solicited
                && wc.has(CompletionSink.HAS_IMMEDIATE) == immediate
                && wc.has(CompletionSink.HAS_INVALIDATED_STAG) == message.invalidates
                && wc.immediateOrStag() == message.value;
        if (!same) {
            throw new AssertionError("%s: expected %s, found %s".formatted(name, message, wc));
        }
        sender.delivered(message.request.index);
        for (SimZone.Change change : message.request.there) {
            if (change.zone == zone) {
                zone.seen(change);
            }
        }
        if (message.invalidates) {
            windows.invalidated((int) message.value);
        }
    }

    /** Fails unless each receive completed as it has to, at the end of all. */
    void assertOver(boolean good, SimWindows windows) {
        poll(windows);
        int left = shared ? side.ring.available() : 0;
        if (seen + left != receives.size()) {
            throw new AssertionError("%s: %d receives were posted, %d completed, %d are left"
                    .formatted(name, receives.size(), seen, left));
        }
        long good1 = side.receives.list.stream().filter(Wc::ok).count();
        if (good && good1 != messages.size()) {
            throw new AssertionError("%s: %d messages were sent, %d arrived".formatted(name, messages.size(), good1));
        }
        if (shared && side.receives.list.size() - good1 > 1) {
            throw new AssertionError(name + ": more than one receive of the shared queue failed with one stream");
        }
    }
}
