package org.panamaverbs.spi.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** {@code verbs.SlowPass}: a pass of the event loop over its sockets took longer than 10 ms. */
@Name("verbs.SlowPass")
@Label("Slow Pass")
@Category("Verbs")
@Description("A pass of the event loop over its sockets took longer than 10 ms.")
@StackTrace(false)
final class SlowPass extends VerbsEvent {
    @Timespan(Timespan.NANOSECONDS)
    @Label("Took")
    long took;
}
