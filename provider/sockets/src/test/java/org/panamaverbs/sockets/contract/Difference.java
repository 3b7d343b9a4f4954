package org.panamaverbs.sockets.contract;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What differs from the JDK's channels, and stays so.
 *
 * @param sides where it differs
 * @param what it is, for the guide
 * @param why it stays, for the guide
 * @param cases the names of the cases in which it shows
 */
record Difference(Set<Side> sides, String what, String why, List<String> cases) {
    private static final Set<Side> OVER_RDMA = Set.of(Side.REQUIRE, Side.AUTO);
    private static final Set<Side> ALL_BUT_OFF = Set.of(Side.REQUIRE, Side.AUTO, Side.AUTO_TO_PLAIN, Side.OFF_BY_RULE);

    /** All of them, in the order of the guide. */
    static final List<Difference> ALL = List.of(
            new Difference(
                    OVER_RDMA,
                    "`Socket.sendUrgentData` throws a `SocketException`",
                    "RDMA has no urgent data",
                    List.of("urgent data")),
            new Difference(
                    OVER_RDMA,
                    "An arena can be closed while a thread is blocked in a read or write with one of its buffers: the"
                            + " operation then ends with an `IllegalStateException`, and no byte is lost",
                    "The JDK has no public call that keeps an arena open",
                    List.of(
                            "bytes: an arena that is closed while its buffer is read into",
                            "bytes: an arena that is closed while its buffer is written")),
            new Difference(
                    ALL_BUT_OFF,
                    "`available()` of a stream of `Channels.newInputStream` returns 0; use `socket().getInputStream()`",
                    "`Channels` knows only the JDK's own channels",
                    List.of("streams: a channel's, available")),
            new Difference(
                    Set.of(Side.REQUIRE, Side.AUTO, Side.OFF_BY_RULE),
                    "A listener that is not bound is never ready",
                    "With the JDK's it is always ready, and `accept` throws a `NotYetBoundException`",
                    List.of(
                            "listener, fresh: blocking mode",
                            "listener, fresh non-blocking: blocking mode",
                            "selector: registered before it is bound")),
            new Difference(
                    Set.of(Side.OFF),
                    "`configureBlocking(true)` after a key was cancelled needs a selection in between",
                    "The JDK's channel has a key of the JDK's selector, too, which ends with the next selection",
                    List.of("selector: blocking while registered")));

    /** How the channels of a run are had. */
    enum Side {
        REQUIRE("`require`"),
        AUTO("`auto`"),
        AUTO_TO_PLAIN("`auto` with a plain peer"),
        OFF("`off`"),
        OFF_BY_RULE("a rule with `off`");

        private final String name;

        Side(String name) {
            this.name = name;
        }
    }

    /** Tells whether {@code name} is a case that differs on {@code side}. */
    static boolean isKnown(Side side, String name) {
        return cases(side).contains(name);
    }

    /** Returns the names of the cases that differ on {@code side}. */
    static List<String> cases(Side side) {
        return ALL.stream()
                .filter(each -> each.sides.contains(side))
                .flatMap(each -> each.cases.stream())
                .toList();
    }

    /** Returns the row of the guide's table. */
    String row() {
        String names = sides.stream().sorted().map(each -> each.name).collect(Collectors.joining(", "));
        return "| " + what + " | " + names + " | " + why + " |";
    }
}
