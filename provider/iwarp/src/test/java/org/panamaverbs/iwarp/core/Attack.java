package org.panamaverbs.iwarp.core;

import java.util.List;
import java.util.function.Function;
import org.panamaverbs.testkit.RequirementCase;

/**
 * One thing that a peer must not do.
 *
 * @param group what it is against
 * @param name for the report
 * @param receives receives posted before
 * @param segments what the peer sends; only the last one is bad
 * @param code the Terminate that answers it
 * @param flags its M, D and R
 * @param requirements the rows of the conformance table that the answer proves
 */
record Attack(
        String group,
        String name,
        int receives,
        Function<HostileFixture, byte[][]> segments,
        String code,
        int flags,
        List<String> requirements)
        implements RequirementCase {
    /** Headers of a Terminate: none. */
    static final int NONE = 0;
    /** Length and DDP header. */
    static final int M_D = 0xC0;
    /** And the Read Request. */
    static final int M_D_R = 0xE0;

    static final byte[] EIGHT = {1, 2, 3, 4, 5, 6, 7, 8};

    /** One bad segment, answered with length and DDP header. */
    static Attack of(
            String group, String name, String code, Function<HostileFixture, byte[]> segment, String... requirements) {
        return of(group, name, code, M_D, segment, requirements);
    }

    /** One bad segment. */
    static Attack of(
            String group,
            String name,
            String code,
            int flags,
            Function<HostileFixture, byte[]> segment,
            String... requirements) {
        return new Attack(group, name, 4, f -> new byte[][] {segment.apply(f)}, code, flags, List.of(requirements));
    }

    /** Some segments, of which the last one is bad. */
    static Attack inSteps(
            String group,
            String name,
            int receives,
            String code,
            Function<HostileFixture, byte[][]> segments,
            String... requirements) {
        return new Attack(group, name, receives, segments, code, M_D, List.of(requirements));
    }

    @Override
    public String toString() {
        return name;
    }
}
