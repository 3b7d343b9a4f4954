package org.panamaverbs.testkit.conformance.order;

import static org.panamaverbs.api.SendFlag.FENCE;
import static org.panamaverbs.api.SendFlag.NONE;
import static org.panamaverbs.testkit.conformance.order.OrderedRound.OTHER;
import static org.panamaverbs.testkit.conformance.order.OrderedRound.SECOND_DATA;
import static org.panamaverbs.testkit.conformance.order.OrderedRound.STRETCH;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Requirement;

/**
 * The tables of RFC 5040 appendix B and RFC 7306 section 7: what is guaranteed of each two operations of one queue.
 * What is not guaranteed is not asked for, here or anywhere in the suite:
 *
 * <ul>
 *   <li>any order between connections, or between the two directions of one;
 *   <li>that bytes are placed in order, or that those of a message that is not complete say anything;
 *   <li>which of two Writes, or of a Send and a Write, to the same bytes comes last, without a completion in between;
 *   <li>that anything has reached the target because it completed at the requester;
 *   <li>that a Read or Atomic is answered before a Send or Write behind it is placed, unless that is fenced;
 *   <li>that a Read finds memory as it was when the request arrived.
 * </ul>
 */
public abstract class OrderingConformance extends Conformance {
    private static final int ROUNDS = 20;

    /** For subclasses. */
    protected OrderingConformance() {}

    static Stream<OrderedPair> pairs() {
        return OrderedPair.all();
    }

    static Stream<OrderedPair> fencedPairs() {
        return OrderedPair.fenced();
    }

    private ConnectedPair connected(OrderedPair order) {
        return pair(OrderedOperation.features(order.first(), order.second()));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    @Requirement("RDMAP-5.5-15-01")
    void bothSidesSeeThePairInItsOrder(OrderedPair order) {
        ConnectedPair pair = connected(order);
        for (int i = 0; i < ROUNDS; i++) {
            OrderedRound round = new OrderedRound(pair, order, i);
            round.post(order.second().isAnswered() ? STRETCH : OTHER, SECOND_DATA, NONE);
            round.takeSent();
            round.takeDelivered();
            round.checkAnswers();
            round.checkMemory();
        }
    }

    // RFC 5040 §5.5, item 12: to have the old data the later operation is fenced.
    @ParameterizedTest
    @MethodSource("fencedPairs")
    void fencedOperationDoesNotOvertakeTheAnswer(OrderedPair order) {
        ConnectedPair pair = connected(order);
        for (int i = 0; i < ROUNDS; i++) {
            OrderedRound round = new OrderedRound(pair, order, i);
            round.post(STRETCH, SECOND_DATA, FENCE);
            round.takeSent();
            round.takeDelivered();
            round.checkThatFirstCameFirst();
        }
    }

    @ParameterizedTest
    @MethodSource("fencedPairs")
    void fencedOperationCarriesTheAnswer(OrderedPair order) {
        ConnectedPair pair = connected(order);
        for (int i = 0; i < ROUNDS; i++) {
            OrderedRound round = new OrderedRound(pair, order, i);
            round.post(OTHER, OrderedRound.FIRST_RESULT, FENCE);
            round.takeSent();
            round.takeDelivered();
            round.checkThatSecondCarriedTheResult();
        }
    }

    // Without the fence both are right, byte by byte.
    @ParameterizedTest
    @MethodSource("fencedPairs")
    void answerThatWasOvertakenIsOldOrNew(OrderedPair order) {
        ConnectedPair pair = connected(order);
        for (int i = 0; i < ROUNDS; i++) {
            OrderedRound round = new OrderedRound(pair, order, i);
            round.post(STRETCH, SECOND_DATA, NONE);
            round.takeSent();
            round.takeDelivered();
            round.checkThatResultIsOldOrNew();
        }
    }
}
