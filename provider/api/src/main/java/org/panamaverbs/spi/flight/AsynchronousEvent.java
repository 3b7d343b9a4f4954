package org.panamaverbs.spi.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** {@code verbs.AsyncEvent}: the device raised an asynchronous event. */
@Name("verbs.AsyncEvent")
@Label("Asynchronous Event")
@Category("Verbs")
@Description("The device raised an asynchronous event.")
@StackTrace(false)
final class AsynchronousEvent extends VerbsEvent {
    @Label("Type")
    String type = "";

    @Label("Detail")
    String detail = "";
}
