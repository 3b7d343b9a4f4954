package org.panamaverbs.testkit.soak;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAccumulator;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.device.DeviceInfo.Transport;
import org.panamaverbs.testkit.soak.ledger.Faults;
import org.panamaverbs.testkit.soak.ledger.Tally;
import org.panamaverbs.testkit.soak.line.Life;
import org.panamaverbs.testkit.soak.line.Outgoing;
import org.panamaverbs.testkit.soak.line.Party;
import org.panamaverbs.testkit.soak.line.PartyConfig;

/**
 * A peer's process: {@code SoakPeer PROVIDER DEVICE ADDRESS PORT PEER INCARNATION LINES CONNECTS BOUND_MS SHARED SEED}.
 * It keeps {@code CONNECTS} lines to the process under test at {@code PORT} and accepts as many as come, with the same
 * traffic and the same ledgers. Prints {@code ready PORT HOSTILE_PORT}; ends gracefully when its input ends, with a
 * line {@code fault TEXT} for each fault and {@code done COUNT}. Made to be killed.
 */
final class SoakPeer {
    private static final long DRAIN_SECONDS = 40;

    private SoakPeer() {}

    /** Runs the peer, see the class. */
    @SuppressWarnings("SystemOut") // that is how it speaks to the process under test
    public static void main(String[] arguments) throws IOException {
        PrintStream out = System.out;
        Faults faults = new Faults();
        PartyConfig config = new PartyConfig(
                arguments[0],
                arguments[1],
                arguments[2],
                Integer.parseInt(arguments[4]),
                Integer.parseInt(arguments[5]),
                Integer.parseInt(arguments[6]),
                1,
                TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments[8])),
                Integer.parseInt(arguments[9]),
                Long.parseLong(arguments[10]));
        InetSocketAddress subject = new InetSocketAddress(config.address(), Integer.parseInt(arguments[3]));
        Outgoing.Target target = new Outgoing.Target(subject, null, false);
        Life theSubjects = new Life(new LongAccumulator(Math::max, 0));
        Party party = new Party(config, new Tally(), faults, hello -> theSubjects);
        for (int i = Integer.parseInt(arguments[7]); i > 0; i--) {
            party.connect(() -> target);
        }
        int hostilePort = 0;
        if (party.verbs().device().transport() == Transport.IWARP) {
            hostilePort = Garbage.start(subject, config);
        }
        party.resume();
        out.printf("ready %d %d%n", party.address().getPort(), hostilePort);
        out.flush();
        awaitEndOfInput();
        if (party.drain(Deadline.in(DRAIN_SECONDS, TimeUnit.SECONDS))) {
            party.close();
        } else {
            faults.report(Faults.Kind.SOAK, "lines were still open after " + DRAIN_SECONDS + " s");
        }
        faults.texts().forEach(text -> out.println("fault " + text.replace('\n', ' ')));
        out.println("done " + faults.total());
        out.flush();
        Runtime.getRuntime().halt(0);
    }

    private static void awaitEndOfInput() throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String line = in.readLine();
        while (line != null) {
            line = in.readLine();
        }
    }
}
