package org.panamaverbs.spi.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** {@code verbs.CompletionQueueOverrun}: a completion queue had no room for a completion. */
@Name("verbs.CompletionQueueOverrun")
@Label("Completion Queue Overrun")
@Category("Verbs")
@Description("A completion queue had no room for a completion.")
@StackTrace(false)
final class CompletionQueueOverrun extends VerbsEvent {
    @Label("Completion Queue")
    String queue = "";

    @Label("Cause")
    String cause = "";
}
