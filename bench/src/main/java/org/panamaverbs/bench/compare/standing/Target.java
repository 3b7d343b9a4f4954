package org.panamaverbs.bench.compare.standing;

import static org.panamaverbs.bench.compare.standing.Condition.aheadOf;
import static org.panamaverbs.bench.compare.standing.Condition.ratio;
import static org.panamaverbs.bench.compare.standing.Condition.steadyMedian;
import static org.panamaverbs.bench.compare.standing.Condition.tail;

import java.util.ArrayList;
import java.util.List;
import org.panamaverbs.bench.compare.contestant.JavaPeer;
import org.panamaverbs.bench.compare.contestant.Libfabric;
import org.panamaverbs.bench.compare.contestant.OpenMpi;
import org.panamaverbs.bench.compare.contestant.OurConnections;
import org.panamaverbs.bench.compare.contestant.Ours;
import org.panamaverbs.bench.compare.contestant.Place;
import org.panamaverbs.bench.compare.contestant.Question;
import org.panamaverbs.bench.compare.contestant.UcxPerftest;
import org.panamaverbs.bench.result.Result;
import org.panamaverbs.bench.result.Verdict;

/**
 * What was promised.
 *
 * @param question of which
 * @param line which of our answers
 * @param conditions that it must meet, all of them
 */
public record Target(Question question, String line, List<Condition> conditions) {
    // Two runs of the same code differ by as much; "no slower" cannot mean less.
    private static final double NO_SLOWER = 1.05;
    // What the virtual machine itself allocates meanwhile, beside tens of thousands of round trips.
    private static final double NOTHING = 0.01;
    // From post to completion, in nanoseconds.
    private static final double DIRECT = 120;

    private static final String LIBFABRIC = Libfabric.Provider.TCP.line();

    public static final List<Target> ALL = List.of(
            roundTrip(
                    Question.WRITE_64,
                    UcxPerftest.PUT,
                    UcxPerftest.TAG,
                    LIBFABRIC,
                    JavaPeer.JUCX_LINE,
                    JavaPeer.NETTY_LINE),
            roundTrip(Question.SEND_64, UcxPerftest.TAG, LIBFABRIC, JavaPeer.JUCX_LINE, JavaPeer.NETTY_LINE),
            roundTrip(Question.FETCH_ADD, UcxPerftest.FETCH_ADD),
            roundTrip(Question.CMP_SWAP, UcxPerftest.CMP_SWAP),
            roundTrip(Question.READ_64, UcxPerftest.GET),
            of(Question.WRITE_4K, Ours.CRC_OFF, ratio(1.1)),
            of(Question.WRITE_4K, Ours.CRC_ON, ratio(1.18)),
            of(Question.BLOCKING_64, Ours.CRC_ON, ratio(0.95)),
            of(Question.BATCH_64, Ours.CRC_ON, ratio(0.85), aheadOf(JavaPeer.NETTY_LINE, JavaPeer.AERON_LINE)),
            of(Question.BATCH_16, Ours.CRC_ON, ratio(1)),
            of(Question.WRITE_1M, Ours.CRC_OFF, ratio(0.97)),
            of(Question.WRITE_1M, Ours.CRC_ON, ratio(0.7)),
            of(Question.READ_1M, Ours.CRC_OFF, ratio(0.95)),
            of(Question.READ_1M, Ours.CRC_ON, ratio(0.7)),
            of(
                    Question.HOST_WRITE_64,
                    Ours.SHARED_MEMORY,
                    steadyMedian(1_000),
                    aheadOf(JavaPeer.JUCX_POSIX_LINE, OpenMpi.PUT, Libfabric.Provider.SHM.line())),
            of(
                    Question.HOST_SEND_64,
                    Ours.SHARED_MEMORY,
                    steadyMedian(1_000),
                    aheadOf(JavaPeer.JUCX_POSIX_LINE, OpenMpi.SEND, Libfabric.Provider.SHM.line())),
            of(Question.HOST_BATCH_64, Ours.SHARED_MEMORY, steadyMedian(8e6)),
            of(Question.HOST_WRITE_1M, Ours.SHARED_MEMORY, steadyMedian(9e9)),
            of(Question.HOST_BLOCKING_64, Ours.SHARED_MEMORY, ratio(0.6)),
            of(
                    Question.HOST_WRITE_64,
                    Ours.DIRECT,
                    steadyMedian(450),
                    aheadOf(JavaPeer.JUCX_POSIX_LINE, OpenMpi.PUT, OpenMpi.MAPPED_PUT)),
            of(Question.HOST_POST_WRITE, Ours.DIRECT, steadyMedian(DIRECT)),
            of(Question.HOST_POST_READ, Ours.DIRECT, steadyMedian(DIRECT)),
            of(Question.HOST_FETCH_ADD, Ours.DIRECT, steadyMedian(DIRECT)),
            of(Question.HOST_CMP_SWAP, Ours.DIRECT, steadyMedian(DIRECT)),
            of(Question.HOST_WRITE_1M, Ours.DIRECT, steadyMedian(11e9)),
            of(Question.HOST_READ_1M, Ours.DIRECT, steadyMedian(11e9)),
            of(Question.CONNECT_ELSEWHERE, OurConnections.LOOKS, ratio(NO_SLOWER)),
            of(Question.HOST_ALLOCATION, Ours.SHARED_MEMORY, steadyMedian(NOTHING)));

    /** Of a round trip over the network with CRC: near to C at the median and in the tail, and ahead of these. */
    private static Target roundTrip(Question question, String... others) {
        return of(question, Ours.CRC_ON, ratio(1.1), tail(99.9, 1.15), aheadOf(others));
    }

    private static Target of(Question question, String line, Condition... conditions) {
        return new Target(question, line, List.of(conditions));
    }

    static List<Target> of(Place place) {
        return ALL.stream().filter(target -> target.question.place() == place).toList();
    }

    /** Compares the target with what was measured: it is decided if all rounds that count are on one side. */
    public Verdict judge(Standings standings) {
        List<String> reached = new ArrayList<>();
        List<Verdict.Outcome> outcomes = new ArrayList<>();
        standings
                .find(question, line)
                .filter(own -> question.floorLine().isEmpty()
                        || !Double.isNaN(own.ratio().median()))
                .ifPresent(own -> judge(own, standings, reached, outcomes));
        return new Verdict(
                question.title(),
                line,
                String.join(
                        "; ",
                        conditions.stream()
                                .map(each -> each.words().apply(question))
                                .toList()),
                String.join("; ", reached),
                outcomes.isEmpty() ? Verdict.Outcome.UNKNOWN : Verdict.Outcome.all(outcomes));
    }

    private void judge(Result own, Standings standings, List<String> reached, List<Verdict.Outcome> outcomes) {
        Condition.Measured measured = new Condition.Measured(question, own, standings);
        for (int i = 0; i < conditions.size(); i++) {
            Condition.Judgement judgement = conditions.get(i).judge().apply(measured);
            outcomes.add(judgement.outcome());
            reached.addAll(judgement.reached());
            if (i == 0 && conditions.getFirst().ofRatio()) {
                reached.add(own.unit().textWithSymbol(own.spread().median()));
            }
        }
    }
}
