package org.panamaverbs.bench.compare.contestant;

import java.util.List;

/** Panama Verbs within one process of this module: what a connection takes to set up, and what round trips allocate. */
public final class OurConnections extends OwnProcess {
    /** The line of the initiator that looks for shared memory and finds that its peer is elsewhere. */
    public static final String LOOKS = "Panama Verbs, shm=auto";

    private static final String ALLOCATED = "octets_per_round_trip";

    public OurConnections(Bench bench) {
        super(bench, "Panama Verbs", "org.panamaverbs.bench.loopback.run.OneHostRun");
    }

    @Override
    public List<Job> jobs(Amounts amounts) {
        String seconds = "" + amounts.c().streamSeconds();
        String warmUp = amounts.java().warmUpAlone();
        return List.of(
                connect(Question.HOST_CONNECT, "loopback", "off", seconds, warmUp),
                connect(Question.HOST_CONNECT, "loopback", "require", seconds, warmUp),
                connect(Question.HOST_CONNECT_ADDRESS, "address", "off", seconds, warmUp),
                connect(Question.HOST_CONNECT_ADDRESS, "address", "require", seconds, warmUp),
                connect(Question.CONNECT_ELSEWHERE, "elsewhere", "off", seconds, warmUp),
                connect(Question.CONNECT_ELSEWHERE, "elsewhere", "auto", seconds, warmUp),
                Job.rate(Question.HOST_ALLOCATION, Ours.SHARED_MEMORY, ALLOCATED, () -> run("allocation", warmUp)));
    }

    private Job connect(Question question, String route, String shm, String seconds, String warmUp) {
        String line = switch (shm) {
            case "off" -> question.floorLine();
            case "auto" -> LOOKS;
            default -> Ours.SHARED_MEMORY;
        };
        return Job.roundTrips(question, line, () -> run("connect", route, shm, seconds, warmUp));
    }
}
