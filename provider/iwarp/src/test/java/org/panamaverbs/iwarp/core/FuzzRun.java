package org.panamaverbs.iwarp.core;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.panamaverbs.api.cm.TerminateCause;

/**
 * A live stream under the eyes of a referee; four of them, cut differently, with other secrets, and one without header
 * prediction, must agree.
 */
final class FuzzRun {
    /** What one case does to a run. */
    interface Script {
        /** Makes the run from the decisions in {@code in} and plays it to its end. */
        FuzzRun play(FuzzInput in, FuzzZoo zoo, Splitter splitter);
    }

    // Views, texts of faults and the like; no length that the peer names. The run that loads classes does not count.
    private static final long MOST_ALLOCATED_BYTES = 256 * 1024;

    final FuzzCore core;
    final FuzzPosts posts;
    final FuzzReferee referee;
    final FuzzSegments segments;
    // Taken at the end of the run: the next one has the same slab.
    private String outcome = "";
    private final TreeSet<String> reached = new TreeSet<>();

    FuzzRun(FuzzCore core) {
        this.core = core;
        posts = new FuzzPosts(core);
        referee = new FuzzReferee(core);
        segments = new FuzzSegments(core);
        step("start", core::start);
    }

    /** One step: the action, then all that comes of it, then the checks. */
    void step(String name, Runnable action) {
        action.run();
        core.flush();
        referee.after();
        posts.endStep(name);
    }

    /** The peer sends these octets in one step. */
    void inject(byte... octets) {
        if (core.finished || core.closed) {
            return;
        }
        boolean before = core.isBroken();
        referee.before(octets);
        step("the peer's octets", () -> core.inject(octets));
        if (!before && referee.lastOpcode >= 0 && core.stream.fault() == null) {
            reached.add("op %x".formatted(referee.lastOpcode));
        }
    }

    /** Plays to the end. */
    FuzzRun finish() {
        core.finish(posts);
        referee.after();
        Fault fault = core.stream.fault();
        if (fault != null) {
            boolean here = fault.origin() == TerminateCause.Origin.LOCAL;
            reached.add(here ? "here " + fault.code().toString().substring(0, 6) : "peer");
        }
        core.answers.forEach(answer ->
                reached.add(answer.isTerminate() ? "sent " + answer.code() : "answered %x".formatted(answer.opcode())));
        outcome = core.outcome();
        return this;
    }

    /** Plays {@code data} four times; answers what was reached. */
    static List<String> compare(byte[] data, Script script) {
        FuzzRun whole = script.play(new FuzzInput(data), new FuzzZoo(FuzzZoo.Secret.FIRST), Splitter.WHOLE);
        FuzzRun single = script.play(new FuzzInput(data), new FuzzZoo(FuzzZoo.Secret.SECOND), Splitter.ONE);
        SplittableRandom random = new SplittableRandom(java.util.Arrays.hashCode(data));
        FuzzRun pieces =
                script.play(new FuzzInput(data), new FuzzZoo(FuzzZoo.Secret.THIRD), Splitter.random(random, 700));
        FuzzRun general = script.play(new FuzzInput(data), new FuzzZoo(FuzzZoo.Secret.FIRST, false), Splitter.WHOLE);
        String expected = whole.outcome;
        for (FuzzRun other : new FuzzRun[] {single, pieces, general}) {
            String got = other.outcome;
            if (!expected.equals(got)) {
                throw new AssertionError(
                        "another split, another secret or no prediction gives\n" + got + "\nrather than\n" + expected);
            }
        }
        long allocated = Math.min(
                Math.min(whole.core.mostAllocated(), single.core.mostAllocated()), pieces.core.mostAllocated());
        if (allocated > MOST_ALLOCATED_BYTES) {
            throw new AssertionError("a step allocates " + allocated + " octets");
        }
        return new ArrayList<>(whole.reached);
    }
}
