package org.panamaverbs.cli.perf.measure;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionWait;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.TerminateCause;
import org.panamaverbs.cli.command.CommandFailure;
import org.panamaverbs.cli.command.FailedWork;

/** Takes the completions of all lanes and notes in each how far it has come. Used by one thread. */
public final class Tally {
    private static final int BATCH = 64;
    /** How often a peer hears of its receives while a whole queue of them is used. */
    private static final int TOLD_PER_QUEUE = 4;
    // A look at the clock costs as much as a poll.
    private static final int POLLS_PER_LOOK = 1 << 14;
    // Where there are fewer processors than pollers the other
    // side must get one some time; seldom, for it costs as much.
    private static final int POLLS_PER_YIELD = 1 << 8;
    // One that has waited for so long waits for a peer without a processor, and can as well give it its own.
    private static final int POLLS_OF_THE_PATIENT = 1 << 12;
    private static final int PATIENT_POLLS_PER_YIELD = 1 << 4;

    private final List<Lane> lanes;
    private final CompletionQueue queue;
    private final @Nullable CompletionWait wait;
    private final Duration timeout;
    private final WorkCompletions completions = WorkCompletions.ofCapacity(BATCH);
    private long idlePolls;
    private long idleSince;

    /** Creates a tally that waits by {@code wait}, or polls if that is null; no wait is longer than {@code timeout}. */
    Tally(List<Lane> lanes, CompletionQueue queue, @Nullable CompletionWait wait, Duration timeout) {
        this.lanes = lanes;
        this.queue = queue;
        this.wait = wait;
        this.timeout = timeout;
    }

    /**
     * Takes what has completed; if nothing has, sleeps until something does where that is asked for.
     *
     * @throws CommandFailure if a work request failed
     * @throws DeadlineExceededException if nothing completed for too long
     */
    public void advance() {
        if (wait == null) {
            poll();
            return;
        }
        try {
            takeAll(wait.await(completions, Deadline.in(timeout)));
        } catch (DeadlineExceededException e) {
            throw late();
        }
    }

    /** Takes what has completed and never sleeps; for those who look at memory as well. */
    int poll() {
        int count = queue.poll(completions);
        takeAll(count);
        if (count == 0 && (++idlePolls & PATIENT_POLLS_PER_YIELD - 1) == 0) {
            idle();
        }
        return count;
    }

    private void takeAll(int count) {
        for (int i = 0; i < count; i++) {
            take(completions.get(i));
        }
        if (count != 0) {
            idlePolls = 0;
        }
    }

    private void idle() {
        if (idlePolls >= POLLS_OF_THE_PATIENT || (idlePolls & POLLS_PER_YIELD - 1) == 0) {
            Thread.yield();
        }
        if ((idlePolls & POLLS_PER_LOOK - 1) == 0) {
            long now = System.nanoTime();
            if (idlePolls == POLLS_PER_LOOK) {
                idleSince = now;
            } else if (now - idleSince > timeout.toNanos()) {
                idlePolls = 0;
                throw late();
            }
        }
    }

    /**
     * Gives back receives as they are used, and tells each peer how many, so that it never sends more than there are.
     */
    public void giveBack() {
        for (Lane lane : lanes) {
            lane.giveBack();
            long due = Math.max(1, lane.rxDepth / TOLD_PER_QUEUE);
            if (lane.given - lane.told >= due && !lane.peerDone && !lane.telling()) {
                lane.tellTaken();
            }
        }
    }

    /** Takes note that something moved that makes no completion. */
    void moved() {
        idlePolls = 0;
    }

    private void take(WorkCompletion completion) {
        Lane lane = lanes.get(Lane.indexOf(completion.wrId()));
        if (!completion.ok()) {
            if (lane.peerDone) {
                return;
            }
            throw failed(lane, completion);
        }
        if (isReceive(completion)) {
            if (completion.opcode() == WcOpcode.RECV && completion.byteCount() == 0) {
                lane.peerDone = true;
            } else {
                lane.arrived++;
            }
        } else {
            lane.sent(completion.wrId());
        }
    }

    private static boolean isReceive(WorkCompletion completion) {
        return completion.opcode() == WcOpcode.RECV || completion.opcode() == WcOpcode.RECV_IMMEDIATE;
    }

    private static CommandFailure failed(Lane lane, WorkCompletion completion) {
        Optional<TerminateCause> cause = lane.queuePair.terminateCause();
        if (completion.status() != WcStatus.WR_FLUSH_ERROR) {
            return new CommandFailure("a work request failed: " + FailedWork.explain(completion, lane.queuePair));
        }
        return new CommandFailure(cause.map(why -> "the connection ended before the measurement: " + why)
                .orElse("the peer closed the connection before the end; remedy: check its output"));
    }

    private DeadlineExceededException late() {
        return new DeadlineExceededException(
                "perf", "nothing arrived from the peer for " + timeout.toSeconds() + " s (--timeout)");
    }
}
