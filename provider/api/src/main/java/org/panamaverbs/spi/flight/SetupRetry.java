package org.panamaverbs.spi.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** {@code verbs.SetupRetry}: the set-up of a connection went on by another way than the first. */
@Name("verbs.SetupRetry")
@Label("Set-up Retry")
@Category("Verbs")
@Description("The set-up of a connection went on by another way than the first.")
@StackTrace(false)
final class SetupRetry extends VerbsEvent {
    @Label("Why")
    String why = "";
}
