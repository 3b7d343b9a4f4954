package org.panamaverbs.sockets.contract;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What differs from the JDK's channels, and stays so.
 *
 * @param sides where it differs
 * @param what it is, for the guide
 * @param why it stays, for the guide
 * @param cases the names of the cases in which it shows
 */
record Difference(Set<Side> sides, String what, String why, Pattern cases) {
    /** All of them, in the order of the guide. */
    static final List<Difference> ALL = List.of();

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
    }

    /** Tells whether a case that differs on {@code side} may do so. */
    static boolean isAllowed(Side side, String name) {
        return ALL.stream()
                .anyMatch(each -> each.sides.contains(side) && each.cases.matcher(name).matches());
    }

    /** Returns the row of the guide's table. */
    String row() {
        String names = sides.stream().sorted().map(each -> each.name).collect(Collectors.joining(", "));
        return "| " + what + " | " + names + " | " + why + " |";
    }
}
