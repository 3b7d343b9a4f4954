package org.panamaverbs.spi.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** {@code verbs.ConnectionEnd}: a connection ended, in order or by a failure. */
@Name("verbs.ConnectionEnd")
@Label("Connection End")
@Category("Verbs")
@Description("A connection ended, in order or by a failure.")
@StackTrace(false)
final class ConnectionEnd extends VerbsEvent {
    @Label("Ended By")
    String endedBy = "";

    @Label("Cause")
    String cause = "";

    @Timespan(Timespan.NANOSECONDS)
    @Label("Lived")
    long lived;
}
