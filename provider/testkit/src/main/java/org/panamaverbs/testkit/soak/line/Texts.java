package org.panamaverbs.testkit.soak.line;

import java.io.PrintWriter;
import java.io.StringWriter;

/** Words for failures. */
public final class Texts {
    private Texts() {}

    /** Returns the stack trace. */
    public static String of(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
