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
    private static final Set<Side> OURS = Set.of(Side.REQUIRE, Side.AUTO, Side.AUTO_TO_PLAIN, Side.OFF_BY_RULE);

    /** All of them, in the order of the guide. */
    static final List<Difference> ALL = List.of(
            new Difference(
                    OVER_RDMA,
                    "`sendUrgentData` throws a `SocketException`",
                    "A connection over RDMA has no urgent data",
                    List.of("urgent data")));

    /** How the channels of a run are had. */
    enum Side {
        REQUIRE("`require`"),
        AUTO("`auto`"),
        AUTO_TO_PLAIN("`auto`, plain peer"),
        OFF("`off`"),
        OFF_BY_RULE("a rule with `off`");

        private final String name;

        Side(String name) {
            this.name = name;
        }

        boolean isOff() {
            return this == OFF || this == OFF_BY_RULE;
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
