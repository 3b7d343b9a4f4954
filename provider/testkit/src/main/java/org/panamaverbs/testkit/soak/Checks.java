package org.panamaverbs.testkit.soak;

import java.util.ArrayList;
import java.util.List;

/** What the soak asserts, each with the figures that it was judged by. */
public final class Checks {
    /**
     * One of them.
     *
     * @param passed whether it holds
     * @param name what it says
     * @param figures what it was judged by
     */
    record Check(boolean passed, String name, String figures) {}

    private final List<Check> all = new ArrayList<>();

    /** Adds a check. */
    void add(boolean passed, String name, String figures) {
        all.add(new Check(passed, name, figures));
    }

    /** Returns all checks. */
    List<Check> all() {
        return List.copyOf(all);
    }

    /** Returns how many hold. */
    long passed() {
        return all.stream().filter(Check::passed).count();
    }

    /** Returns how many do not. */
    long failed() {
        return all.size() - passed();
    }
}
