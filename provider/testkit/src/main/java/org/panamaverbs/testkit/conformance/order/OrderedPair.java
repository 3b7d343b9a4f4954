package org.panamaverbs.testkit.conformance.order;

import java.util.List;
import java.util.stream.Stream;
import org.panamaverbs.testkit.RequirementCase;

/**
 * A line of the tables of RFC 5040 appendix B and RFC 7306 section 7.
 *
 * @param first what is posted first
 * @param second what is posted behind it
 * @param requirements rows of the conformance table that it proves
 */
record OrderedPair(OrderedOperation first, OrderedOperation second, List<String> requirements)
        implements RequirementCase {
    private static OrderedPair of(OrderedOperation first, OrderedOperation second, String... requirements) {
        return new OrderedPair(first, second, List.of(requirements));
    }

    /** Returns all of both tables. */
    static Stream<OrderedPair> all() {
        return Stream.concat(ofTheBase(), ofTheExtensions());
    }

    // RFC 5040 appendix B, figure 17.
    private static Stream<OrderedPair> ofTheBase() {
        return Stream.of(
                of(OrderedOperation.SEND, OrderedOperation.SEND, "RDMAP-5.5-10-01", "RDMAP-5.3-05", "DDP-5.3-06"),
                of(OrderedOperation.SEND, OrderedOperation.WRITE),
                of(OrderedOperation.SEND, OrderedOperation.READ, "RDMAP-5.5-12-01", "RDMAP-5.5-17-01"),
                of(OrderedOperation.WRITE, OrderedOperation.SEND, "RDMAP-5.1-06", "DDP-4.1-06"),
                of(OrderedOperation.WRITE, OrderedOperation.WRITE),
                of(OrderedOperation.WRITE, OrderedOperation.READ, "RDMAP-5.5-12-01", "RDMAP-5.5-17-01"),
                of(OrderedOperation.READ, OrderedOperation.SEND),
                of(OrderedOperation.READ, OrderedOperation.WRITE),
                of(OrderedOperation.READ, OrderedOperation.READ, "RDMAP-5.5-20-01", "RDMAP-5.5-11-01"));
    }

    // RFC 7306 §7.
    private static Stream<OrderedPair> ofTheExtensions() {
        return Stream.of(
                of(OrderedOperation.IMMEDIATE, OrderedOperation.SEND, "EXT-6.3-03"),
                of(OrderedOperation.IMMEDIATE, OrderedOperation.WRITE),
                of(OrderedOperation.IMMEDIATE, OrderedOperation.READ, "EXT-7-01"),
                of(OrderedOperation.IMMEDIATE, OrderedOperation.ATOMIC, "EXT-7-01"),
                of(OrderedOperation.IMMEDIATE, OrderedOperation.IMMEDIATE, "EXT-6.3-03"),
                of(OrderedOperation.SEND, OrderedOperation.IMMEDIATE, "EXT-6.3-03"),
                of(OrderedOperation.WRITE, OrderedOperation.IMMEDIATE, "EXT-7-02", "EXT-6.4-01"),
                of(OrderedOperation.READ, OrderedOperation.IMMEDIATE),
                of(OrderedOperation.ATOMIC, OrderedOperation.IMMEDIATE),
                of(OrderedOperation.ATOMIC, OrderedOperation.SEND),
                of(OrderedOperation.ATOMIC, OrderedOperation.WRITE),
                of(OrderedOperation.ATOMIC, OrderedOperation.READ, "EXT-7-03"),
                of(OrderedOperation.ATOMIC, OrderedOperation.ATOMIC, "EXT-7-05", "DRAFT01-7-01"),
                of(OrderedOperation.SEND, OrderedOperation.ATOMIC, "EXT-7-06", "EXT-5.4-3-01"),
                of(OrderedOperation.WRITE, OrderedOperation.ATOMIC, "EXT-5.4-5-01", "DRAFT01-5.4-5-01"),
                of(OrderedOperation.READ, OrderedOperation.ATOMIC, "EXT-7-04"));
    }

    /** Returns the pairs whose second operation may overtake the answer to the first unless it is fenced. */
    static Stream<OrderedPair> fenced() {
        return Stream.of(OrderedOperation.READ, OrderedOperation.ATOMIC)
                .flatMap(first -> Stream.of(OrderedOperation.SEND, OrderedOperation.WRITE)
                        .map(second -> of(first, second, "RDMAP-5.5-12-02")));
    }

    @Override
    public String toString() {
        return first + " then " + second;
    }
}
