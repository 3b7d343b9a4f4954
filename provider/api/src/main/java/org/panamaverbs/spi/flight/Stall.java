package org.panamaverbs.spi.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** {@code verbs.Stall}: a connection was ended since its peer had stopped. */
@Name("verbs.Stall")
@Label("Stall")
@Category("Verbs")
@Description("A connection was ended since its peer had stopped.")
@StackTrace(false)
final class Stall extends VerbsEvent {
    @Label("What")
    String what = "";
}
