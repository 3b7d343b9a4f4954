package org.panamaverbs.iwarp.net.unix;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Programs in Perl: peers that are this user's or another's, who may be unable to read the JDK and this build. A test
 * asks at its beginning, in its own thread, whether they can be had, and is skipped where they cannot.
 */
public final class Perl {
    private Perl() {}

    /** Skips the test where there is no Perl. */
    public static void assumeItRuns() throws InterruptedException {
        assumeTrue(runs(List.of()), "no perl");
    }

    /** Skips the test where Perl does not run as another user, whom only root can make. */
    public static void assumeItRunsAsAnother() throws InterruptedException {
        assumeTrue(PeerUser.effectiveUser() == 0, "not root");
        assumeTrue(runs(OtherUser.STARTER), "no perl by setpriv as user " + OtherUser.NUMBER);
    }

    private static boolean runs(List<String> starter) throws InterruptedException {
        try {
            return start(starter, "1").waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Starts {@code program}, which has its output in a pipe and its errors where this process has its own. */
    public static Process start(String program, String... arguments) throws IOException {
        return start(List.of(), program, arguments);
    }

    /** As the other, as {@link OtherUser}. */
    public static Process startAsAnother(String program, String... arguments) throws IOException {
        return start(OtherUser.STARTER, program, arguments);
    }

    private static Process start(List<String> starter, String program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(starter);
        command.addAll(List.of("perl", "-MSocket", "-e", program));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
