package org.panamaverbs.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.WorkCompletions;

/** The completions of one completion queue, in the order in which they were polled. */
public final class Inbox {
    private static final int BATCH = 32;

    private final Poller poller;
    private final CompletionQueue queue;
    private final WorkCompletions completions = WorkCompletions.ofCapacity(BATCH);
    private final Deque<Completion> waiting = new ArrayDeque<>();

    Inbox(Poller poller, CompletionQueue queue) {
        this.poller = poller;
        this.queue = queue;
    }

    /** Waits for the next completion, whatever its status. */
    public Completion take() {
        poller.await("a completion", () -> !waiting.isEmpty());
        return waiting.remove();
    }

    /** Waits for the next {@code count} completions. */
    public List<Completion> take(int count) {
        List<Completion> taken = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            taken.add(take());
        }
        return taken;
    }

    /** Waits for the next completion, which must be the success of {@code wrId}. */
    public Completion takeOk(long wrId) {
        Completion next = take();
        assertThat(next.ok()).as("%s", next).isTrue();
        assertThat(next.wrId()).as("%s", next).isEqualTo(wrId);
        return next;
    }

    /** Waits for the completions of {@code wrIds}, which must be successes in this order. */
    public void takeAllOk(long first, long... wrIds) {
        takeOk(first);
        for (long wrId : wrIds) {
            takeOk(wrId);
        }
    }

    /** Waits for as many completions as there are {@code wrIds}, which must be their successes in any order. */
    public void takeAllOkInAnyOrder(List<Long> wrIds) {
        List<Completion> taken = take(wrIds.size());
        assertThat(taken).allMatch(Completion::ok);
        assertThat(taken).extracting(Completion::wrId).containsExactlyInAnyOrderElementsOf(wrIds);
    }

    /** Fails if there is a completion that was not taken, also after some more polling. */
    public void expectNothing() {
        poller.pollAWhile();
        assertThat(waiting).isEmpty();
    }

    /** Returns how many completions wait to be taken. */
    public int size() {
        return waiting.size();
    }

    void drain() {
        int count = queue.poll(completions);
        for (int i = 0; i < count; i++) {
            waiting.add(Completion.of(completions.get(i)));
        }
    }

    @Override
    public String toString() {
        return "; waiting in " + queue + ": " + waiting;
    }
}
