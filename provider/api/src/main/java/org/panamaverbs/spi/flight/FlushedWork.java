package org.panamaverbs.spi.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** {@code verbs.FlushedWork}: work requests of a connection that ended were flushed. */
@Name("verbs.FlushedWork")
@Label("Flushed Work")
@Category("Verbs")
@Description("Work requests of a connection that ended were flushed.")
@StackTrace(false)
final class FlushedWork extends VerbsEvent {
    @Label("Sends")
    long sends;

    @Label("Receives")
    long receives;
}
