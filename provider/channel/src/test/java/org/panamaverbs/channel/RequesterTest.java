package org.panamaverbs.channel;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.testkit.process.Allocation;

/** Requests and their responses: {@code Pair.out} requests, {@code Pair.in} responds. */
@Timeout(120)
@ParameterizedClass
@EnumSource
class RequesterTest {
    private final Pair.Form form;
    private final Ends ends = new Ends();

    /** Requests that the responder has, and what became of those of the requester. */
    private final Deque<long[]> asked = new ArrayDeque<>();

    private final Responder responder = Responder.of((channel, id, memory, offset, length) ->
            asked.add(new long[] {id, length == 8 ? memory.get(JAVA_LONG, offset) : length}));

    RequesterTest(Pair.Form form) {
        this.form = form;
    }

    private static final class Ends implements ResponseHandler {
        final List<List<Long>> responses = new ArrayList<>();
        final List<Long> none = new ArrayList<>();

        @Override
        public void onResponse(Channel channel, long id, MemorySegment memory, long offset, int length) {
            assertThat(offset % 8).isZero();
            assertThat(length).isEqualTo(8);
            responses.add(List.of(id, memory.get(JAVA_LONG, offset)));
        }

        @Override
        public void onNoResponse(Channel channel, long id) {
            none.add(id);
        }
    }

    private static MemorySegment number(long number) {
        return MemorySegment.ofArray(new long[] {number});
    }

    private static long request(Requester requester, Pair pair, long number, Deadline deadline) {
        long id = requester.offer(pair.out, number(number), 0, 8, deadline);
        assertThat(id).as(Publisher.text(id)).isPositive();
        return id;
    }

    private void awaitAsked(Pair pair, int count) {
        pair.until(responder, () -> asked.size() == count);
    }

    private static void respond(Pair pair, long id, long number) {
        assertThat(Responder.offer(pair.in, id, number(number), 0, 8)).isPositive();
    }

    @Test
    void takesResponsesInAnyOrder() {
        try (Pair pair = new Pair(form, form.small())) {
            Requester requester = Requester.of(pair.publishers, 10, ends);
            List<List<Long>> expected = new ArrayList<>();
            for (int round = 0; round < 30; round++) {
                ends.responses.clear();
                expected.clear();
                for (long i = 0; i < 10; i++) {
                    expected.addFirst(List.of(request(requester, pair, i, pair.deadline), i * i));
                }
                assertThat(requester.offer(pair.out, number(0), 0, 8, pair.deadline))
                        .isEqualTo(Publisher.BACK_PRESSURED);
                awaitAsked(pair, 10);
                while (!asked.isEmpty()) {
                    long[] last = asked.removeLast();
                    respond(pair, last[0], last[1] * last[1]);
                }
                int ended = 0;
                while (requester.outstanding() > 0) {
                    assertThat(requester.await(pair.deadline)).isTrue();
                    ended += requester.poll(3);
                }
                assertThat(ended).isEqualTo(10);
                assertThat(ends.responses).isEqualTo(expected);
            }
            assertThat(ends.none).isEmpty();
            assertThat(requester.dropped()).isZero();
        }
    }

    @Test
    void fillsRequestsAndResponsesInPlace() {
        try (Pair pair = new Pair(form, form.small())) {
            Requester requester = Requester.of(pair.publishers, 1, ends);
            int longest = pair.out.publisher().maxMessageLength() - Responder.ID_BYTES;
            assertThat(requester.tryClaim(pair.out, longest + 1, pair.deadline)).isEqualTo(Publisher.TOO_LONG);
            assertThat(requester.tryClaim(pair.out, Integer.MAX_VALUE, pair.deadline))
                    .isEqualTo(Publisher.TOO_LONG);
            long aborted = requester.tryClaim(pair.out, longest, pair.deadline);
            pair.out.publisher().claim().abort();
            assertThat(requester.cancel(aborted)).isTrue();
            assertThat(requester.cancel(aborted)).isFalse();
            long id = requester.tryClaim(pair.out, 8, pair.deadline);
            assertThat(id).isPositive().isNotEqualTo(aborted);
            Claim claim = pair.out.publisher().claim();
            assertThat(claim.length()).isEqualTo(8);
            claim.segment().set(JAVA_LONG, claim.offset(), 42);
            assertThat(claim.commit()).isEqualTo(pair.out.publisher().position());
            awaitAsked(pair, 1);
            assertThat(asked.getFirst()).containsExactly(id, 42);
            assertThat(Responder.tryClaim(pair.in, id, 8)).isPositive();
            Claim answer = pair.in.publisher().claim();
            answer.segment().set(JAVA_LONG, answer.offset(), 43);
            answer.commit();
            while (requester.outstanding() > 0) {
                requester.poll(1);
            }
            assertThat(ends.responses).containsExactly(List.of(id, 43L));
        }
    }

    @Test
    void requestsAndAnswersWhatIsLongerThanAReceive() {
        try (Pair pair = new Pair(form, form.small())) {
            int longest = pair.out.publisher().maxMessageLength() - Responder.ID_BYTES;
            assertThat(longest).isGreaterThan(form.small().receiveBytes());
            List<byte[]> answers = new ArrayList<>();
            Requester requester = Requester.of(pair.publishers, 2, new ResponseHandler() {
                @Override
                public void onResponse(Channel channel, long id, MemorySegment memory, long offset, int length) {
                    answers.add(Pair.bytes(memory, offset, length));
                }

                @Override
                public void onNoResponse(Channel channel, long id) {
                    throw new AssertionError("no response");
                }
            });
            Responder echo = Responder.of((channel, id, memory, offset, length) -> {
                long result = Responder.offer(channel, id, memory, offset, length);
                assertThat(result).as(Publisher.text(result)).isPositive();
            });
            for (int i = 0; i < 200; i++) {
                byte[] request = Pair.message(i, i % 3 == 0 ? longest : i);
                assertThat(requester.offer(pair.out, MemorySegment.ofArray(request), 0, request.length, pair.deadline))
                        .isPositive();
                while (requester.outstanding() > 0) {
                    pair.subscribers.poll(echo, 16);
                    requester.poll(16);
                }
                assertThat(answers).singleElement().isEqualTo(request);
                answers.clear();
            }
        }
    }

    @Test
    void dropsAndCountsLateResponses() {
        try (Pair pair = new Pair(form, form.small())) {
            Requester requester = Requester.of(pair.publishers, 2, ends);
            long late = request(requester, pair, 1, Deadline.in(1, TimeUnit.MILLISECONDS));
            long other = request(requester, pair, 2, Deadline.never());
            while (ends.none.isEmpty()) {
                // Sleeps until the first deadline, although the one that is passed never passes.
                assertThat(requester.await(Deadline.never())).isTrue();
                requester.poll(1);
            }
            assertThat(ends.none).containsExactly(late);
            assertThat(requester.outstanding()).isEqualTo(1);
            long next = request(requester, pair, 3, pair.deadline);
            awaitAsked(pair, 3);
            respond(pair, late, 1);
            respond(pair, other, 2);
            respond(pair, next, 3);
            respond(pair, next, 3);
            respond(pair, 0, 3);
            respond(pair, -1, 3);
            assertThat(pair.in.publisher().offer(number(3), 0, 7)).isPositive();
            while (requester.dropped() < 5) {
                requester.poll(10);
            }
            assertThat(ends.responses).containsExactly(List.of(other, 2L), List.of(next, 3L));
            assertThat(requester.outstanding()).isZero();
            assertThat(ends.none).containsExactly(late);
        }
    }

    /** A deadline that belongs to no request any more ends no wait, otherwise all of them would. */
    @Test
    void sleepsAlthoughTheDeadlineOfAnAnsweredRequestHasPassed() {
        try (Pair pair = new Pair(form, form.small())) {
            Requester requester = Requester.of(pair.publishers, 2, ends);
            Deadline its = Deadline.in(1, TimeUnit.MILLISECONDS);
            long id = request(requester, pair, 1, its);
            awaitAsked(pair, 1);
            respond(pair, id, 1);
            while (requester.outstanding() > 0 || !its.passed() || pair.publishers.await(Deadline.now())) {
                assertThat(pair.deadline.passed()).isFalse();
                pair.publishers.poll(requester, 1);
            }
            assertThat(ends.responses).hasSize(1);
            assertThat(requester.await(Deadline.in(1, TimeUnit.MILLISECONDS))).isFalse();
        }
    }

    @Test
    void doesNotSleepOverTheRequestsOfAChannelThatThisSideHasClosed() {
        try (Pair pair = new Pair(form, form.small())) {
            Requester requester = Requester.of(pair.publishers, 2, ends);
            long id = request(requester, pair, 1, Deadline.never());
            while (requester.await(Deadline.now())) {
                requester.poll(1);
            }
            pair.out.close();
            assertThat(requester.await(Deadline.now())).isTrue();
            assertThat(requester.poll(1)).isEqualTo(1);
            assertThat(ends.none).containsExactly(id);
        }
    }

    @Test
    void dropsResponsesOfAnotherChannel() {
        try (Pair pair = new Pair(form, form.small())) {
            Requester requester = Requester.of(pair.publishers, 2, ends);
            Channel[] other = pair.connect();
            long id = request(requester, pair, 1, pair.deadline);
            assertThat(Responder.offer(other[1], id, number(1), 0, 8)).isPositive();
            while (requester.dropped() < 1) {
                requester.poll(1);
            }
            assertThat(requester.outstanding()).isEqualTo(1);
        }
    }

    @Test
    void endsTheRequestsOfALostChannelAfterTheResponsesThatArrived() {
        try (Pair pair = new Pair(form, form.small())) {
            Requester requester = Requester.of(pair.publishers, 10, ends);
            List<Long> ids = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                ids.add(request(requester, pair, i, Deadline.never()));
            }
            awaitAsked(pair, 10);
            for (int i = 0; i < 5; i++) {
                respond(pair, ids.get(i), i);
            }
            while (!pair.out.inbound().hasFrames()) {
                assertThat(pair.deadline.passed()).isFalse();
                pair.publishers.arm();
            }
            assertThat(pair.out.state()).isEqualTo(Channel.State.OPEN);
            pair.in.close();
            while (pair.out.state() == Channel.State.OPEN) {
                assertThat(pair.deadline.passed()).isFalse();
                pair.publishers.arm();
            }
            while (requester.outstanding() > 0) {
                assertThat(requester.await(pair.deadline)).isTrue();
                requester.poll(1);
            }
            assertThat(ends.responses).isNotEmpty();
            assertThat(ends.none).isEqualTo(ids.subList(10 - ends.none.size(), 10));
            assertThat(ends.responses).hasSize(10 - ends.none.size());
            assertThat(requester.offer(pair.out, number(1), 0, 8, pair.deadline))
                    .isEqualTo(Publisher.NOT_CONNECTED);
        }
    }

    @Test
    void endsTheRequestsOfAChannelThatEitherSideEnds() {
        try (Pair pair = new Pair(form, form.small())) {
            Requester requester = Requester.of(pair.publishers, 10, ends);
            Channel[] second = pair.connect();
            long first = request(requester, pair, 1, Deadline.never());
            long other = requester.offer(second[0], number(2), 0, 8, Deadline.never());
            assertThat(pair.in.publisher().end()).isPositive();
            while (ends.none.isEmpty()) {
                assertThat(requester.await(pair.deadline)).isTrue();
                requester.poll(1);
            }
            assertThat(ends.none).containsExactly(first);
            second[0].close();
            assertThat(requester.poll(1)).isEqualTo(1);
            assertThat(ends.none).containsExactly(first, other);
        }
    }

    @Test
    void aRequestThatCannotBeReadTakesNoSlot() {
        try (Pair pair = new Pair(form, form.small())) {
            Requester requester = Requester.of(pair.publishers, 1, ends);
            assertThatThrownBy(() -> requester.offer(pair.out, number(1), 1, 8, pair.deadline))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> requester.offer(pair.out, number(1), 0, -1, pair.deadline))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> requester.offer(pair.in, number(1), 0, 8, pair.deadline))
                    .hasMessageContaining("; remedy: use one requester for each group");
            assertThatThrownBy(() -> Requester.of(pair.publishers, 0, ends)).hasMessageContaining("; remedy: choose");
            assertThat(requester.outstanding()).isZero();
            assertThat(pair.out.publisher().position()).isZero();
            request(requester, pair, 1, pair.deadline);
        }
    }

    @Test
    void theResponderDropsWhatIsNoRequest() {
        try (Pair pair = new Pair(form, form.small())) {
            assertThat(pair.out.publisher().offer(number(1), 0, 7)).isPositive();
            pair.until(responder, () -> responder.dropped() == 1);
            assertThat(asked).isEmpty();
        }
    }

    @Test
    void allocatesNothing() {
        try (Pair pair = new Pair(form, form.small())) {
            long[] ended = {0};
            Requester requester = Requester.of(pair.publishers, 16, new ResponseHandler() {
                @Override
                public void onResponse(Channel channel, long id, MemorySegment memory, long offset, int length) {
                    ended[0] += memory.get(JAVA_LONG, offset);
                }

                @Override
                public void onNoResponse(Channel channel, long id) {
                    throw new AssertionError("no response");
                }
            });
            Responder echo = Responder.of((channel, id, memory, offset, length) -> {
                if (Responder.offer(channel, id, memory, offset, length) < 0) {
                    throw new AssertionError("back-pressured");
                }
            });
            MemorySegment one = number(1);
            long[] sum = {0};
            Allocation.expectNone(5000, 100, () -> {
                for (int i = 0; i < 5000; i++) {
                    while (requester.offer(pair.out, one, 0, 8, pair.deadline) < 0) {
                        requester.poll(16);
                        pair.subscribers.poll(echo, 16);
                    }
                }
                sum[0] += 5000;
            });
            while (requester.outstanding() > 0) {
                requester.poll(16);
                pair.subscribers.poll(echo, 16);
            }
            assertThat(ended[0]).isPositive().isEqualTo(sum[0]);
        }
    }
}
