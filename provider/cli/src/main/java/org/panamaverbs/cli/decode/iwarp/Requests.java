package org.panamaverbs.cli.decode.iwarp;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import org.panamaverbs.cli.decode.dissect.Hexadecimal;
import org.panamaverbs.cli.decode.tcp.Budget;

/**
 * The Read and Atomic Requests of one side that are not answered yet, and whether the other side's answers fit them.
 * Answers come in the order of the requests, both kinds together (RFC 5040 §5.2.2, RFC 7306 §7), so that counting them
 * tells which answer belongs to which request. That of an answer captured before its request is told by counting, too:
 * the request is answered when it comes.
 *
 * <p>Nothing is said about answers once requests are missing, for theirs cannot be told from others. Where answers are
 * missing, judging goes on with one that can belong to a single request only.
 */
final class Requests {
    /** More than this at once are not followed; 16,382 are the most that RFC 6581 can negotiate. */
    static final int MAX_OUTSTANDING = 16_384;

    // How far to look for the request of an answer behind answers that are missing.
    private static final int MAX_SEARCHED = 128;
    private static final int REQUEST_BYTES = 64;

    private static final class Request {
        final boolean atomic;
        final int msn;
        final int tag;
        final long sinkTo;
        final long size;
        long done;

        /** {@code tag} is the Data Sink STag, or the Request Identifier of an atomic. */
        Request(boolean atomic, int msn, int tag, long sinkTo, long size) {
            this.atomic = atomic;
            this.msn = msn;
            this.tag = tag;
            this.sinkTo = sinkTo;
            this.size = size;
        }

        boolean holds(int stag, long to, int length) {
            long offset = to - sinkTo;
            return !atomic && tag == stag && offset >= 0 && length > 0 && offset + length <= size;
        }

        boolean isAtomic(int id) {
            return atomic && tag == id;
        }

        @Override
        public String toString() {
            return (atomic ? "the Atomic Request" : "the RDMA Read Request") + " with MSN "
                    + Integer.toUnsignedString(msn);
        }
    }

    private final Budget budget;
    private final Deque<Request> waiting = new ArrayDeque<>();
    // All requests are known: none is missing.
    private boolean known = true;
    // All answers are known, so that the next one belongs to the first request that waits.
    private boolean inStep = true;
    // Whole answers whose requests have not come; while there are such, or octets of one, no request waits.
    private long early;
    private long earlyOctets;

    Requests(Budget budget) {
        this.budget = budget;
    }

    /** Requests are missing, or may be. */
    void giveUp() {
        known = false;
        while (!waiting.isEmpty()) {
            removeFirst();
        }
    }

    /** Answers are missing, or cannot be told from one another any more. */
    void loseStep() {
        inStep = false;
        early = 0;
        earlyOctets = 0;
    }

    void read(int msn, int sinkStag, long sinkTo, long size) {
        add(new Request(false, msn, sinkStag, sinkTo, size));
    }

    void atomic(int msn, int id) {
        add(new Request(true, msn, id, 0, 0));
    }

    private void add(Request request) {
        if (!known) {
            return;
        }
        if (early > 0) {
            early--;
            return;
        }
        request.done = earlyOctets;
        earlyOctets = 0;
        if (waiting.size() == MAX_OUTSTANDING || !budget.take(REQUEST_BYTES)) {
            giveUp();
            return;
        }
        waiting.add(request);
    }

    private void removeFirst() {
        waiting.remove();
        budget.give(REQUEST_BYTES);
    }

    /**
     * Takes a segment of a Read Response.
     *
     * @param inOrder whether all requests are here that the answering side can have had
     */
    void readResponse(int stag, long to, int length, boolean isLast, boolean inOrder, List<String> problems) {
        if (!isJudged(inOrder)) {
            return;
        }
        if (!inStep) {
            if (!find(request -> request.holds(stag, to, length))) {
                return;
            }
            Request found = waiting.element();
            found.done = to - found.sinkTo;
        }
        Request request = waiting.peek();
        if (request == null && !inOrder) {
            early += isLast ? 1 : 0;
            earlyOctets = isLast ? 0 : earlyOctets + length;
        } else if (request == null) {
            problems.add("no RDMA Read Request is outstanding (RFC 5040 section 5.2.2)");
            loseStep();
        } else if (request.atomic) {
            problems.add("comes before the answer to " + request + " (RFC 7306 section 7)");
            loseStep();
        } else {
            readResponse(request, stag, to, length, isLast, problems);
        }
    }

    /** Tells whether anything can be said of an answer. */
    private boolean isJudged(boolean inOrder) {
        if (inOrder && (early > 0 || (earlyOctets > 0 && waiting.isEmpty()))) {
            loseStep(); // the requests of what seemed early never came
        }
        return known && (inStep || inOrder);
    }

    private void readResponse(Request request, int stag, long to, int length, boolean isLast, List<String> problems) {
        long expectedTo = request.sinkTo + request.done;
        // RFC 5041 §5.2: in a tagged message of no octets neither STag nor TO need be valid.
        if (request.size > 0 && (stag != request.tag || to != expectedTo)) {
            problems.add("STag %s TO %s, expected %s and %s of %s (RFC 5040 section 4.4)"
                    .formatted(
                            Hexadecimal.word(stag),
                            Hexadecimal.brief(to),
                            Hexadecimal.word(request.tag),
                            Hexadecimal.brief(expectedTo),
                            request));
            loseStep();
            return;
        }
        request.done += length;
        if (request.done > request.size) {
            problems.add("%d octets until now, although %s asks for %d (RFC 5040 section 5.2.2)"
                    .formatted(request.done, request, request.size));
        } else if (isLast && request.done < request.size) {
            problems.add("the last segment, with %d octets in all, although %s asks for %d (RFC 5040 section 5.2.2)"
                    .formatted(request.done, request, request.size));
        } else if (!isLast && request.done == request.size) {
            problems.add("not the last segment, although all %d octets of %s are there (RFC 5041 section 5.2)"
                    .formatted(request.size, request));
        }
        if (isLast) {
            removeFirst();
        }
    }

    /** Takes an Atomic Response, as {@link #readResponse}. */
    void atomicResponse(int id, boolean inOrder, List<String> problems) {
        if (!isJudged(inOrder) || (!inStep && !find(request -> request.isAtomic(id)))) {
            return;
        }
        Request request = waiting.peek();
        if (request == null && !inOrder) {
            early++;
        } else if (request == null) {
            problems.add("no Atomic Request is outstanding (RFC 7306 section 5.2.2)");
            loseStep();
        } else if (!request.atomic) {
            problems.add("comes before the answer to " + request + " (RFC 7306 section 7)");
            loseStep();
        } else if (request.tag != id) {
            problems.add("Original Request Identifier %s, expected %s of %s (RFC 7306 section 5.2.2)"
                    .formatted(Hexadecimal.word(id), Hexadecimal.word(request.tag), request));
            loseStep();
        } else {
            removeFirst();
        }
    }

    /** Goes on with the one request of which {@code answered} is true; false unless there is just one. */
    private boolean find(Predicate<Request> answered) {
        if (waiting.size() > MAX_SEARCHED) {
            return false;
        }
        List<Request> found = waiting.stream().filter(answered).toList();
        if (found.size() != 1) {
            return false;
        }
        while (waiting.peek() != found.getFirst()) {
            removeFirst();
        }
        inStep = true;
        return true;
    }
}
