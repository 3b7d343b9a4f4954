package org.panamaverbs.spi.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** {@code verbs.ConnectionSetup}: a connection was set up, or could not be. */
@Name("verbs.ConnectionSetup")
@Label("Connection Set-up")
@Category("Verbs")
@Description("A connection was set up, or could not be.")
@StackTrace(false)
final class ConnectionSetup extends VerbsEvent {
    @Label("Operation")
    String operation = "";

    @Label("Established")
    boolean established;

    @Label("Local Address")
    String local = "";

    @Label("Carrier")
    String carrier = "";

    @Label("Transport")
    String transport = "";

    @Label("IRD")
    int ird;

    @Label("ORD")
    int ord;

    @Timespan(Timespan.NANOSECONDS)
    @Label("Took")
    long took;

    @Label("Cause")
    String cause = "";
}
