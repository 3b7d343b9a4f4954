package org.panamaverbs.cli.decode;

import java.util.Map;
import java.util.Set;
import org.panamaverbs.cli.decode.dissect.Names;
import org.panamaverbs.cli.decode.iwarp.Event;
import org.panamaverbs.cli.decode.iwarp.Flow;

/**
 * What is printed; all is judged, printed or not.
 *
 * @param connections by number, empty for all
 * @param kinds kinds of units or names of groups of them, empty for all
 */
record Filter(Set<Integer> connections, Set<String> kinds) {
    private static final String NOTE = "note";
    private static final String BAD = "bad";
    private static final String MPA = "mpa";
    private static final String TCP = "tcp";

    // The groups of kinds that do not begin with the name of theirs.
    private static final Map<String, String> GROUPS = Map.of("rdma-write", "write", Names.FIN, TCP, Names.RST, TCP);

    /** Names that stand for several kinds. */
    static Set<String> groups() {
        return Set.of(MPA, "write", "read", "send", "terminate", "immediate", "atomic", TCP, NOTE, BAD);
    }

    boolean admits(Event event) {
        return switch (event) {
            case Event.Unit unit ->
                admits(unit.place().flow())
                        && (admits(unit.kind()) || (!unit.problems().isEmpty() && kinds.contains(BAD)));
            case Event.End end -> admits(end.flow()) && admits(end.kind());
            case Event.Note note -> {
                Flow flow = note.flow();
                yield (flow == null ? connections.isEmpty() : admits(flow))
                        && (kinds.isEmpty() || kinds.contains(NOTE) || (note.problem() && kinds.contains(BAD)));
            }
        };
    }

    private boolean admits(Flow flow) {
        return connections.isEmpty() || connections.contains(flow.connection());
    }

    private boolean admits(String kind) {
        int dash = kind.indexOf('-');
        String group = GROUPS.getOrDefault(kind, dash < 0 ? kind : kind.substring(0, dash));
        return kinds.isEmpty() || kinds.contains(kind) || kinds.contains(group);
    }
}
