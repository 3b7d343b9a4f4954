package org.panamaverbs.bench.binding;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.nio.file.Path;
import org.panamaverbs.bindings.Downcalls;
import org.panamaverbs.stub.StubLibrary.UnavailableException;

/** Makes the stub the libibverbs of this process, once, before anything has asked for libibverbs. */
public final class Stub {
    private static final String ABSENCE = install();

    private Stub() {}

    /** Skips the test, saying why, where the stub cannot be made. */
    public static void require() {
        if (!ABSENCE.isEmpty()) {
            System.out.println("skipped, no stub of libibverbs: " + ABSENCE);
            abort("no stub of libibverbs: " + ABSENCE);
        }
    }

    /** Has the stub return {@code result} from every post and notify. */
    static void postResult(int result) {
        try {
            Floor.STUB
                    .plain("stub_post_result", FunctionDescriptor.ofVoid(JAVA_INT))
                    .invoke(result);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** Returns a sum over the last {@code count} entries of the ring of {@code qp}. */
    static long ringSum(long qp, int count) {
        try {
            return (long) Floor.STUB
                    .plain("ring_sum", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT))
                    .invoke(qp, count);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    private static String install() {
        try {
            Path library = MeasuredStub.compile(Path.of("target", "stub-of-tests"));
            System.setProperty("verbs.libibverbs", library.toString());
            return "";
        } catch (UnavailableException e) {
            return String.valueOf(e.getMessage());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("cannot compile the stub", e);
        }
    }
}
