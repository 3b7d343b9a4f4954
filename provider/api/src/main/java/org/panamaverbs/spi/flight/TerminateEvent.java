package org.panamaverbs.spi.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** {@code verbs.Terminate}: a Terminate message was sent or received. */
@Name("verbs.Terminate")
@Label("Terminate")
@Category("Verbs")
@Description("A Terminate message was sent or received.")
@StackTrace(false)
final class TerminateEvent extends VerbsEvent {
    @Label("Sent")
    boolean sent;

    @Label("Layer")
    int layer;

    @Label("Error Type")
    int errorType;

    @Label("Error Code")
    int errorCode;

    @Label("Text")
    String text = "";

    @Label("Remedy")
    String remedy = "";
}
