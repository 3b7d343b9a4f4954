package org.panamaverbs.iwarp.engine;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.util.Objects;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.panamaverbs.iwarp.core.Binder;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.memory.Access;

/** A window is closed while a stream binds it: closing comes to its end, and nobody finds the window any more. */
@JCStressTest
@Outcome(
        id = {"true, true", "false, true"},
        expect = Expect.ACCEPTABLE,
        desc = "Bound before or never, and gone.")
@Outcome(expect = Expect.FORBIDDEN, desc = "It can still be found.")
@State
public class WindowStress {
    private static final int DOMAIN = Fixture.DOMAIN.number();
    private static final Region MEMORY = Objects.requireNonNull(Fixture.VERBS
            .context()
            .stags()
            .enable(
                    Arena.global().allocate(JAVA_LONG),
                    0,
                    Access.mask(Access.LOCAL_WRITE, Access.MEMORY_WINDOW_BIND),
                    DOMAIN));

    private final Region window =
            Objects.requireNonNull(Fixture.VERBS.context().stags().reserve(DOMAIN), "the table of STags is full");
    private final int stag = window.nextStag(1);

    @Actor
    public void stream(ZZ_Result r) {
        r.r1 = Binder.bind(Fixture.VERBS.context().stags(), DOMAIN, window, stag, MEMORY);
    }

    @Actor
    public void owner(ZZ_Result r) {
        Fixture.DOMAIN.regions().disable(window);
        r.r2 = Fixture.VERBS.context().stags().find(stag) == null;
    }
}
