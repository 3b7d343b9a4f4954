package org.panamaverbs.testkit.conformance.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.testkit.conformance.order.OrderedOperation.BYTES;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.random.Patterns;

/** One go at a pair of operations: A posts both at once, and then it is seen what came of them. */
final class OrderedRound {
    /** The stretch of B's buffer that the first operation is about. */
    static final long STRETCH = 0;
    /** Another one. */
    static final long OTHER = 8192;
    /** Where A has the data of the first operation. */
    static final long FIRST_DATA = 0;
    /** And of the second. */
    static final long SECOND_DATA = 8192;
    /** Where A wants the result of the first operation. */
    static final long FIRST_RESULT = 16_384;

    private static final long SECOND_RESULT = 24_576;
    private static final long FIRST = 1;
    private static final long SECOND = 2;
    private static final long FIRST_RECEIVE = 10;
    private static final long SECOND_RECEIVE = 20;

    private final ConnectedPair pair;
    private final OrderedOperation first;
    private final OrderedOperation second;
    private final byte[] old;
    private final byte[] firstData;
    private final byte[] secondData;

    OrderedRound(ConnectedPair pair, OrderedPair order, int seed) {
        this.pair = pair;
        first = order.first();
        second = order.second();
        old = Patterns.bytes(3L * seed, BYTES);
        firstData = Patterns.bytes(3L * seed + 1, BYTES);
        secondData = Patterns.bytes(3L * seed + 2, BYTES);
        pair.b().put(STRETCH, old);
        pair.b().put(OTHER, old);
        pair.a().put(FIRST_DATA, firstData);
        pair.a().put(SECOND_DATA, secondData);
        pair.a().put(FIRST_RESULT, new byte[BYTES]);
        pair.a().put(SECOND_RESULT, new byte[BYTES]);
    }

    /** Posts both operations; the second is about {@code stretch}, with its data at {@code data} of A's buffer. */
    void post(long stretch, long data, int flags) {
        first.expect(pair, FIRST_RECEIVE, STRETCH);
        second.expect(pair, SECOND_RECEIVE, stretch);
        first.post(pair, FIRST, first.isAnswered() ? FIRST_RESULT : FIRST_DATA, STRETCH, SIGNALED);
        second.post(pair, SECOND, second.isAnswered() ? SECOND_RESULT : data, stretch, SIGNALED | flags);
    }

    /** RFC 5040 §5.5: requests complete in the order of posting. */
    void takeSent() {
        pair.a().takeAllSent(List.of(FIRST, SECOND));
        if (first.isDelivered() && second.isAnswered()) {
            // RFC 7306 §7: the answer was not generated before the message was complete at the target.
            pair.poller().poll();
            assertThat(pair.b().inbox().size()).as("completions at the target").isEqualTo(1);
        }
    }

    /** Messages are delivered in order, and no sooner than what was written before is there. */
    void takeDelivered() {
        if (first.isDelivered()) {
            assertThat(pair.b().inbox().takeOk(FIRST_RECEIVE).hasImmediate())
                    .isEqualTo(first == OrderedOperation.IMMEDIATE);
        }
        if (second.isDelivered()) {
            assertThat(pair.b().inbox().takeOk(SECOND_RECEIVE).hasImmediate())
                    .isEqualTo(second == OrderedOperation.IMMEDIATE);
            if (first == OrderedOperation.WRITE) {
                assertThat(pair.b().get(STRETCH, BYTES)).isEqualTo(firstData);
            }
        }
    }

    /** Answers say what the order of the two lets them say. */
    void checkAnswers() {
        byte[] before = first.isPlaced() ? firstData : old;
        byte[] after = first == OrderedOperation.ATOMIC ? incremented(before) : before;
        if (second == OrderedOperation.READ) {
            assertThat(pair.a().get(SECOND_RESULT, BYTES)).isEqualTo(after);
        } else if (second == OrderedOperation.ATOMIC) {
            assertThat(pair.a().getLong(SECOND_RESULT)).isEqualTo(cell(after));
        }
        if (first == OrderedOperation.ATOMIC) {
            assertThat(pair.a().getLong(FIRST_RESULT)).isEqualTo(cell(old));
        } else if (first == OrderedOperation.READ && second == OrderedOperation.ATOMIC) {
            // RFC 5040 §5.5, item 20: when the buffer is read is the target's choice.
            assertThat(pair.a().get(FIRST_RESULT, BYTES)).isIn(old, incremented(old));
        } else if (first == OrderedOperation.READ) {
            assertThat(pair.a().get(FIRST_RESULT, BYTES)).isEqualTo(old);
        }
    }

    /** Behind a barrier, what was sent and written is where it belongs. */
    void checkMemory() {
        pair.barrier();
        if (first.isPlaced() && second != OrderedOperation.ATOMIC) {
            assertThat(pair.b().get(STRETCH, BYTES)).isEqualTo(firstData);
        }
        if (second.isPlaced()) {
            assertThat(pair.b().get(OTHER, BYTES)).isEqualTo(secondData);
        }
    }

    /** The first operation found the stretch as it was before the second. */
    void checkThatFirstCameFirst() {
        pair.barrier();
        if (first == OrderedOperation.READ) {
            assertThat(pair.a().get(FIRST_RESULT, BYTES)).isEqualTo(old);
        } else {
            assertThat(pair.a().getLong(FIRST_RESULT)).isEqualTo(cell(old));
        }
        assertThat(pair.b().get(STRETCH, BYTES)).isEqualTo(secondData);
    }

    /** The second operation carried what the first one brought. */
    void checkThatSecondCarriedTheResult() {
        pair.barrier();
        byte[] result = pair.a().get(FIRST_RESULT, BYTES);
        assertThat(pair.b().get(OTHER, BYTES)).isEqualTo(result);
        if (first == OrderedOperation.READ) {
            assertThat(result).isEqualTo(old);
        } else {
            assertThat(cell(result)).isEqualTo(cell(old));
        }
    }

    /** Each byte that the first operation brought is from before the second or from after it. */
    void checkThatResultIsOldOrNew() {
        pair.barrier();
        byte[] result = pair.a().get(FIRST_RESULT, first == OrderedOperation.READ ? BYTES : Long.BYTES);
        for (int i = 0; i < result.length; i++) {
            assertThat(result[i]).as("byte %d", i).isIn(old[i], secondData[i]);
        }
    }

    private static long cell(byte[] stretch) {
        return ByteBuffer.wrap(stretch).order(ByteOrder.nativeOrder()).getLong();
    }

    private static byte[] incremented(byte[] stretch) {
        byte[] more = stretch.clone();
        ByteBuffer.wrap(more).order(ByteOrder.nativeOrder()).putLong(0, cell(stretch) + 1);
        return more;
    }
}
