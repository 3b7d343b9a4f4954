package org.panamaverbs.testkit;

import java.util.List;

/** A case of a parameterised test that proves rows of the conformance table of its own; its text names it. */
public interface RequirementCase {
    /** Returns the ids of the rows, for example {@code DDP-7.1-T5-01}; none if it proves what others prove too. */
    List<String> requirements();
}
