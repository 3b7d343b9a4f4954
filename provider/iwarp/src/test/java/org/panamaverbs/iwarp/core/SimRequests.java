package org.panamaverbs.iwarp.core;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;

/** The send queue of one side as the model sees it: what was posted, and what has completed of it. */
final class SimRequests {
    /** What is to happen once a request is over. */
    interface Ending {
        void over(Request request, boolean good);
    }

    /** A work request. */
    static final class Request {
        final int index;
        final WcOpcode opcode;
        final long bytes;
        final boolean signaled;
        /** Whether the peer answers it. */
        final boolean answered;
        /** What it does to the peer's memory. */
        final List<SimZone.Change> there = new ArrayList<>(1);
        /** What its response does to the memory of this side. */
        final List<SimZone.Change> here = new ArrayList<>(1);
        /** Up to where the ring of sources is free again afterwards. */
        long sourceEnd = -1;

        private final @Nullable Ending ending;

        Request(int index, WcOpcode opcode, long bytes, boolean signaled, boolean answered, @Nullable Ending ending) {
            this.index = index;
            this.opcode = opcode;
            this.bytes = bytes;
            this.signaled = signaled;
            this.answered = answered;
            this.ending = ending;
        }
    }

    private final Side side;
    private final String name;
    private final SimStory story;
    private final int capacity;
    private final List<Request> posted = new ArrayList<>();
    private int seen;
    private int next;
    private final List<Request> erroneous = new ArrayList<>();
    private boolean failed;
    private int answeredUpTo = -1;
    private int deliveredUpTo = -1;

    SimRequests(Side side, String name, SimStory story, int capacity) {
        this.side = side;
        this.name = name;
        this.story = story;
        this.capacity = capacity;
    }

    String name() {
        return name;
    }

    int count() {
        return posted.size();
    }

    Request get(int index) {
        return posted.get(index);
    }

    /** Tells whether everything that was posted is over, as far as completions tell. */
    boolean isQuiet() {
        return next == posted.size();
    }

    /** How many failed otherwise than by a flush, but for those whose results were to go to {@code lost}. */
    long errorsBeside(@Nullable SimZone lost) {
        return erroneous.stream()
                .filter(request -> request.here.stream().noneMatch(change -> change.zone == lost))
                .count();
    }

    boolean hasFailed() {
        return failed;
    }

    /** The last request that was answered. */
    int answeredUpTo() {
        return answeredUpTo;
    }

    /** The last request whose message was delivered. */
    int deliveredUpTo() {
        return deliveredUpTo;
    }

    /** The queue answered {@code status}; true if the request counts. */
    boolean accepted(int status) {
        if (status == PostStatus.QUEUE_FULL) {
            if (posted.size() - next < capacity) {
                throw new AssertionError("%s: the send queue of %d is full with %d requests"
                        .formatted(name, capacity, posted.size() - next));
            }
            return false;
        }
        if (status != PostStatus.ACCEPTED) {
            throw new AssertionError(name + ": request " + posted.size() + " " + PostStatus.text(status));
        }
        return true;
    }

    void add(Request request) {
        posted.add(request);
    }

    /** Looks at the new completions. */
    void poll() {
        for (List<Wc> all = side.sends.list; seen < all.size(); seen++) {
            Wc wc = all.get(seen);
            while (next < posted.size() && posted.get(next).index != wc.wrId()) {
                passOver(posted.get(next++));
            }
            if (next == posted.size()) {
                throw new AssertionError(name + ": a completion of #" + wc.wrId() + " that is one too many");
            }
            complete(posted.get(next++), wc);
        }
    }

    private void passOver(Request request) {
        if (request.signaled || failed) {
            throw new AssertionError(name + ": no completion of #" + request.index + ", but of later ones");
        }
        succeed(request);
    }

    private void complete(Request request, Wc wc) {
        story.tell("%s: #%d completes: %s %s", name, wc.wrId(), wc.opcode(), wc.status());
        if (wc.qpNumber() != side.qpNumber || wc.opcode() != request.opcode) {
            throw new AssertionError("%s: expected the completion of #%d %s, found %s"
                    .formatted(name, request.index, request.opcode, wc));
        }
        if (!wc.ok()) {
            failed = true;
            if (wc.status() != WcStatus.WR_FLUSH_ERROR) {
                erroneous.add(request);
            }
            end(request, false);
            return;
        }
        if (failed || !request.signaled) {
            throw new AssertionError("%s: #%d succeeds %s"
                    .formatted(name, request.index, failed ? "behind one that failed" : "though unsignaled"));
        }
        if (wc.byteCount() != request.bytes || wc.vendorError() != 0 || wc.flags() != 0) {
            throw new AssertionError(
                    "%s: #%d of %d octets: found %s".formatted(name, request.index, request.bytes, wc));
        }
        succeed(request);
    }

    private void succeed(Request request) {
        if (request.answered) {
            answered(request.index);
        }
        request.here.forEach(change -> change.zone.seen(change));
        end(request, true);
    }

    private static void end(Request request, boolean good) {
        Ending ending = request.ending;
        if (ending != null) {
            ending.over(request, good);
        }
    }

    /** Request {@code index} was answered: what it and all before it do at the peer is done (RFC 5040 §5.5). */
    void answered(int index) {
        answeredUpTo = Math.max(answeredUpTo, index);
        for (int i = 0; i <= index; i++) {
            posted.get(i).there.forEach(change -> change.zone.done(change));
        }
    }

    /** The message of request {@code index} was delivered: what came before it was placed before (RFC 5040 §5.5). */
    void delivered(int index) {
        deliveredUpTo = Math.max(deliveredUpTo, index);
        for (int i = 0; i <= index; i++) {
            posted.get(i).there.forEach(change -> change.zone.delivered(change));
        }
    }

    /** The peer took nothing of what is behind request {@code index}. */
    void nothingBehind(int index) {
        for (int i = index + 1; i < posted.size(); i++) {
            posted.get(i).there.forEach(change -> change.zone.forget(change));
        }
    }

    /** Fails unless each request completed as it has to, at the end of all. */
    void assertOver(boolean good) {
        poll();
        while (next < posted.size()) {
            passOver(posted.get(next++));
        }
        if (good && failed) {
            throw new AssertionError(name + ": requests failed though nothing happened: " + side.sends.brief());
        }
        if (!side.stream.idle()) {
            throw new AssertionError(
                    "%s: not idle in %s with %d requests posted".formatted(name, side.stream.state(), posted.size()));
        }
    }
}
