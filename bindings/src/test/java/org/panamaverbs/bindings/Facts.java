package org.panamaverbs.bindings;

import java.util.ArrayList;
import java.util.List;

/** What the bindings claim of one header, on one architecture. */
record Facts(List<Fact> all, int structs, int fields, int constants) {
    private static final String TAB = "\t";
    private static final String FACT = "fact";
    private static final String COUNTS = "counts";

    /** What {@link #parse} reads. */
    String text() {
        var text = new StringBuilder();
        for (Fact fact : all) {
            text.append(String.join(
                            TAB,
                            FACT,
                            fact.expression(),
                            Long.toString(fact.value()),
                            Boolean.toString(fact.atLeast())))
                    .append('\n');
        }
        return text + String.join(TAB, COUNTS, structs + "", fields + "", constants + "") + '\n';
    }

    static Facts parse(String text) {
        List<Fact> all = new ArrayList<>();
        int[] counts = null;
        for (String line : text.lines().toList()) {
            String[] columns = line.split(TAB, -1);
            if (columns[0].equals(FACT)) {
                all.add(new Fact(columns[1], Long.parseLong(columns[2]), Boolean.parseBoolean(columns[3])));
            } else if (columns[0].equals(COUNTS)) {
                counts = new int[] {
                    Integer.parseInt(columns[1]), Integer.parseInt(columns[2]), Integer.parseInt(columns[3])
                };
            }
        }
        if (counts == null) {
            throw new AssertionError("no facts in:\n" + text);
        }
        return new Facts(all, counts[0], counts[1], counts[2]);
    }
}
