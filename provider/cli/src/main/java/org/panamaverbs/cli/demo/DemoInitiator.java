package org.panamaverbs.cli.demo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.cli.CommandFailure;
import org.panamaverbs.cli.demo.ControlMessage.Kind;
import org.panamaverbs.cli.demo.DemoResult.Outcome;
import org.panamaverbs.memory.RemoteBuffer;

/** The peer that runs the operations, round by round, and collects what both peers find. */
final class DemoInitiator {
    private final Endpoint endpoint;
    private final RemoteBuffer responder;
    private final int rounds;

    /** Runs operations from {@code endpoint} on the data buffer {@code responder} of its peer. */
    DemoInitiator(Endpoint endpoint, RemoteBuffer responder, int rounds) {
        this.endpoint = endpoint;
        this.responder = responder;
        this.rounds = rounds;
    }

    /** Runs everything and tells the peer that it is over; a broken connection ends it early. */
    List<DemoResult> run() {
        List<Exercise> exercises = Exercises.all();
        List<DemoResult> results = new ArrayList<>();
        boolean connected = true;
        for (int i = 0; i < exercises.size(); i++) {
            Exercise exercise = exercises.get(i);
            if (!exercise.supported(endpoint.capabilities())) {
                results.add(DemoResult.without(exercise, Outcome.NOT_ON_THIS_DEVICE, ""));
            } else if (!connected) {
                results.add(DemoResult.without(exercise, Outcome.NOT_RUN, "an earlier failure ended the connection"));
            } else {
                try {
                    results.add(run(exercise, i));
                } catch (CommandFailure | VerbsException e) {
                    results.add(DemoResult.without(exercise, Outcome.FAILED, String.valueOf(e.getMessage())));
                    connected = false;
                }
            }
        }
        if (connected) {
            endpoint.send(new ControlMessage(Kind.FINISH, 0, 0, null, ""));
        }
        return results;
    }

    private DemoResult run(Exercise exercise, int index) {
        long[] nanos = new long[rounds];
        for (int round = 0; round < rounds; round++) {
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
            nanos[round] = System.nanoTime() - start;

            String here = exercise.check(endpoint, completion, seed);
            String there =
                    ask(Kind.VERIFY, index, seed, exercise.offer(endpoint)).text();
            endpoint.closeWindow();
            if (here != null || !there.isEmpty()) {
                return DemoResult.without(exercise, Outcome.FAILED, difference(round, here, there));
            }
        }
        Arrays.sort(nanos);
        return DemoResult.ok(exercise, rounds, nanos[rounds / 2]);
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
