package org.panamaverbs.bench.binding;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Path;
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
