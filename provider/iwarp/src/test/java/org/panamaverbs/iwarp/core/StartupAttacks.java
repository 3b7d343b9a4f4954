package org.panamaverbs.iwarp.core;

import static org.panamaverbs.iwarp.core.StartupFrames.A;
import static org.panamaverbs.iwarp.core.StartupFrames.B;
import static org.panamaverbs.iwarp.core.StartupFrames.C_FLAG;
import static org.panamaverbs.iwarp.core.StartupFrames.D;
import static org.panamaverbs.iwarp.core.StartupFrames.R_FLAG;
import static org.panamaverbs.iwarp.core.StartupFrames.S_FLAG;
import static org.panamaverbs.iwarp.core.StartupFrames.config;
import static org.panamaverbs.iwarp.core.StartupFrames.drain;
import static org.panamaverbs.iwarp.core.StartupFrames.enhanced;
import static org.panamaverbs.iwarp.core.StartupFrames.feed;
import static org.panamaverbs.iwarp.core.StartupFrames.frame;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.panamaverbs.iwarp.core.setup.MpaStartup;
import org.panamaverbs.iwarp.core.setup.StartupConfig;
import org.panamaverbs.iwarp.wire.Samples;
import org.panamaverbs.iwarp.wire.TerminateCode;

/** Bad MPA Requests and Replies (RFC 5044 §7.1, RFC 6581), each with what happens. */
final class StartupAttacks {
    /**
     * One of them.
     *
     * @param group whom it is sent to
     * @param name for the report
     * @param octets what the peer sends
     * @param leaves whether it closes then
     * @param answer what it gets for it
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record StartupAttack(String group, String name, byte[] octets, boolean leaves, String answer) {
        boolean toResponder() {
            return group.equals(REQUESTS);
        }

        /** Sends the attack, and returns what came of it. */
        String play() {
            StartupConfig ours = config(2, true, 4, 4, "");
            MpaStartup startup = toResponder() ? MpaStartup.responder(ours) : MpaStartup.initiator(ours);
            drain(startup);
            feed(startup, octets, Integer.MAX_VALUE);
            if (leaves) {
                startup.endOfStream();
            }
            TerminateCode code = startup.startFault();
            if (code != null) {
                return "Terminate %x/%x/%02x".formatted(code.layer(), code.errorType(), code.code());
            }
            boolean silent =
                    drain(startup).length == 0 && !startup.receiveBuffer().hasRemaining();
            return switch (startup.state()) {
                case FAILED ->
                    (silent ? "close: " : "?: ")
                            + Objects.requireNonNull(startup.failure()).reason();
                case REJECTED -> "close: REJECTED";
                case IN_PROGRESS -> "none: the set-up's time runs";
                case REQUEST_READY, DONE -> "none: it is good";
            };
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static final String REQUESTS = "MPA Requests";
    private static final String REPLIES = "MPA Replies";
    private static final String MALFORMED = "close: MALFORMED";
    private static final String STRANGER = "close: STRANGER";
    private static final String REVISION = "close: REVISION";

    private final List<StartupAttack> all = new ArrayList<>();

    private StartupAttacks() {
        both(REQUESTS, false);
        requests();
        both(REPLIES, true);
        replies();
    }

    static List<StartupAttack> all() {
        return new StartupAttacks().all;
    }

    private void attack(String group, String name, String answer, byte... octets) {
        all.add(new StartupAttack(group, name, octets, false, answer));
    }

    private void both(String group, boolean reply) {
        byte[] good = Samples.bytes(reply ? "M05" : "M04");
        attack(group, "first octet of the key wrong", STRANGER, Segments.flip(good, 0, 0x20));
        attack(group, "last octet of the key wrong", STRANGER, Segments.flip(good, 15, 1));
        attack(group, "the other kind of frame", MALFORMED, Samples.bytes(reply ? "M04" : "M05"));
        attack(group, "octets 0", STRANGER, new byte[600]);
        attack(group, "a request of HTTP", STRANGER, text("GET / HTTP/1.1\r\n\r\n"));
        attack(group, "a greeting of SSH", STRANGER, text("SSH-2.0-OpenSSH_9.2\r\n"));
        attack(group, "one wrong octet", STRANGER, (byte) 0x16);
        attack(group, "revision 0", REVISION, frame(reply, C_FLAG, 0));
        attack(group, "revision 3", REVISION, frame(reply, C_FLAG, 3));
        attack(group, "revision 255", REVISION, frame(reply, C_FLAG, 255));
        attack(group, "private data of 513 octets", MALFORMED, frame(reply, C_FLAG, 2, new byte[513]));
        attack(group, "private data of 65535 octets", MALFORMED, frame(reply, C_FLAG, 2, new byte[65_535]));
        for (int length : new int[] {0, 3}) {
            attack(
                    group,
                    "depths announced, private data of " + length + " octets",
                    MALFORMED,
                    frame(reply, C_FLAG | S_FLAG, 2, new byte[length]));
        }
        String closed = "close: CLOSED";
        for (int octets : new int[] {0, 1, 19, 20, good.length - 1}) {
            all.add(new StartupAttack(group, octets + " octets, then FIN", Arrays.copyOf(good, octets), true, closed));
        }
        attack(
                group,
                "all but the last octet, and silence",
                "none: the set-up's time runs",
                Arrays.copyOf(good, good.length - 1));
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private void requests() {
        attack(REQUESTS, "rejecting", "none: it is good", frame(false, C_FLAG | R_FLAG, 1));
        attack(REQUESTS, "depths of 16383", "none: it is good", enhanced(false, -1));
        byte[] more = Arrays.copyOf(Samples.bytes("M04"), 5000);
        attack(REQUESTS, "an FPDU behind it, unread", "none: it is good", more);
    }

    private void replies() {
        attack(
                REPLIES,
                "more Reads outstanding than any IRD",
                "Terminate 2/0/06",
                enhanced(true, A | B | 16 << 16 | 5));
        attack(REPLIES, "no ready-to-receive message that suits", "Terminate 2/0/07", enhanced(true, A | 4 << 16 | 4));
        attack(REPLIES, "rejection with depths", "close: REJECTED", frame(true, R_FLAG | S_FLAG, 2, new byte[4]));
        attack(
                REPLIES,
                "all ready-to-receive messages at once",
                "none: it is good",
                enhanced(true, A | B | StartupFrames.C | D | 4 << 16 | 4));
    }
}
