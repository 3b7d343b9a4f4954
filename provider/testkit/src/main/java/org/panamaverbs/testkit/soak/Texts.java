package org.panamaverbs.testkit.soak;

import java.io.PrintWriter;
import java.io.StringWriter;

/** Words for failures. */
final class Texts {
    private Texts() {}

    /** Returns the stack trace. */
    static String of(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
