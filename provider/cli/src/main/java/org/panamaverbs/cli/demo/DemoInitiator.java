package org.panamaverbs.cli.demo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.cli.command.CommandFailure;
import org.panamaverbs.cli.demo.ControlMessage.Kind;
import org.panamaverbs.cli.demo.DemoResult.Outcome;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * The peer that runs the operations and collects what both peers find. Each round runs every operation once, so that
 * all of them are measured on a virtual machine that is equally warm.
 */
final class DemoInitiator {
    /** Operations on this many bytes and more run only in each tenth round: they would take most of the time. */
    private static final int LARGE_BYTES = 1 << 20;

    private static final int LARGE_EVERY = 10;

    private final Endpoint endpoint;
    private final RemoteBuffer responder;
    private final int rounds;
    private final List<Exercise> exercises = Exercises.all();
    private final long[][] nanos;
    private final int[] done = new int[exercises.size()];
    private final @Nullable DemoResult[] early = new DemoResult[exercises.size()];

    /** Runs operations from {@code endpoint} on the data buffer {@code responder} of its peer. */
    DemoInitiator(Endpoint endpoint, RemoteBuffer responder, int rounds) {
        this.endpoint = endpoint;
        this.responder = responder;
        this.rounds = rounds;
        nanos = new long[exercises.size()][rounds];
    }

    /** Runs everything and tells the peer that it is over; a broken connection ends it early. */
    List<DemoResult> run() {
        for (int i = 0; i < exercises.size(); i++) {
            if (!exercises.get(i).supported(endpoint.capabilities())) {
                early[i] = DemoResult.without(exercises.get(i), Outcome.NOT_ON_THIS_DEVICE, "");
            }
        }
        if (runRounds()) {
            endpoint.send(new ControlMessage(Kind.FINISH, 0, 0, null, ""));
        }
        List<DemoResult> results = new ArrayList<>();
        for (int i = 0; i < exercises.size(); i++) {
            results.add(result(i));
        }
        return results;
    }

    private DemoResult result(int index) {
        DemoResult result = early[index];
        if (result != null) {
            return result;
        }
        int count = done[index];
        if (count == 0) {
            return DemoResult.without(exercises.get(index), Outcome.NOT_RUN, "an earlier failure ended the connection");
        }
        Arrays.sort(nanos[index], 0, count);
        return DemoResult.ok(exercises.get(index), count, nanos[index][count / 2]);
    }

    /** Returns false if the connection broke. */
    private boolean runRounds() {
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < exercises.size(); i++) {
                boolean pause = exercises.get(i).bytes() >= LARGE_BYTES && round % LARGE_EVERY != 0;
                if (pause || early[i] != null) {
                    continue;
                }
                try {
                    early[i] = run(i, round);
                } catch (CommandFailure | VerbsException e) {
                    early[i] = DemoResult.without(exercises.get(i), Outcome.FAILED, String.valueOf(e.getMessage()));
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns null if the round was right. */
    private @Nullable DemoResult run(int index, int round) {
        Exercise exercise = exercises.get(index);
        // The lowest bit alternates: it decides whether a CmpSwap matches.
        long seed = (Pattern.mix(index, round) & ~1L) | (round & 1);
        ControlMessage ready = ask(Kind.PREPARE, index, seed, null);
        RemoteBuffer target = ready.remote() == null ? responder : ready.remote();
        exercise.load(endpoint, target, seed);

        long start = System.nanoTime();
        int status = exercise.post(endpoint, target, seed);
        if (status < 0) {
            throw new CommandFailure("post refused: " + PostStatus.text(status));
        }
        Arrival completion = endpoint.await(Endpoint.WORK);
        nanos[index][done[index]] = System.nanoTime() - start;

        String here = exercise.check(endpoint, completion, seed);
        String there = ask(Kind.VERIFY, index, seed, exercise.offer(endpoint)).text();
        endpoint.closeWindow();
        if (here == null && there.isEmpty()) {
            done[index]++;
            return null;
        }
        return DemoResult.without(exercise, Outcome.FAILED, difference(round, here, there));
    }

    private ControlMessage ask(Kind kind, int index, long seed, @Nullable RemoteBuffer remote) {
        endpoint.postControlReceive();
        endpoint.send(new ControlMessage(kind, index, seed, remote, ""));
        return endpoint.receive();
    }

    private static String difference(int round, @Nullable String here, String there) {
        List<String> sides = new ArrayList<>();
        if (here != null) {
            sides.add("initiator: " + here);
        }
        if (!there.isEmpty()) {
            sides.add("responder: " + there);
        }
        return "round " + round + ", " + String.join("; ", sides);
    }
}
