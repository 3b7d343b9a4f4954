package org.panamaverbs.iwarp.engine.device;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.net.Sockets;
import org.panamaverbs.iwarp.net.SystemSockets;
import org.panamaverbs.iwarp.shm.RingLayout;

/**
 * An option of the provider. The constants are the only list of them: {@link IwarpOptions} has a value for each, and
 * the table on the guide's page {@code iwarp} is written from them by a test. Immutable; any thread.
 *
 * @param <T> what its values stand for
 */
public final class IwarpOption<T> {
    private static final List<IwarpOption<?>> ALL = new ArrayList<>();

    /** Whether connections progress only on threads that poll, post or wait. */
    public static final IwarpOption<Boolean> SPIN = option(
            "progress",
            "background",
            Values.choice("background", "spin").to("spin"::equals),
            "`background`: a thread of the context serves connections beside the threads that poll. `spin`: only threads"
                    + " that poll, post or wait do; lowest latency, and nothing moves while nobody polls");

    /** How TCP is reached. */
    public static final IwarpOption<Sockets> SOCKETS = option(
            "sockets",
            "auto",
            Values.choice("auto", "libc", "nio").to(IwarpOption::sockets),
            "how TCP is reached. `libc`: by system calls, on Linux, with [native access](#settings); fastest. `nio`: by"
                    + " the JDK's channels, everywhere. `auto`: the first where it can be had without a warning");

    /** Whether this side wants the CRC. */
    public static final IwarpOption<Boolean> CRC = option(
            "crc",
            "on",
            Values.flag(),
            "whether this side wants the CRC; it is left out only if neither side wants it (RFC 5044 §4.4)");

    /** Whether this side wants to receive markers. */
    public static final IwarpOption<Boolean> MARKERS = option(
            "markers", "off", Values.flag(), "whether this side asks its peer for markers; a peer that asks gets them");

    /** The MPA revision to connect with, 1 or 2. */
    public static final IwarpOption<Integer> REVISION = option(
            "revision",
            "2",
            Values.choice("1", "2").to(Integer::valueOf),
            "the MPA revision to connect with; 1 has no read depths and no peer-to-peer set-up");

    /** What may open a peer-to-peer stream (RFC 6581 §9): an empty {@code write}, {@code read} or {@code send}. */
    public static final IwarpOption<List<String>> RTR = option(
            "rtr",
            "write,read",
            Values.list("write", "read", "send"),
            "ready-to-receive messages to offer and to agree to (RFC 6581 §9.2)");

    /** The segment size in bytes to cut FPDUs for, from 128; 0 to derive it. */
    public static final IwarpOption<Integer> FPDU_MAX = option(
            "fpdu.max",
            "0",
            Values.number(0, 65_535)
                    .only("0, or a number from 128 to 65535", "0, or 128 to 65535 bytes", it -> it == 0 || it >= 128),
            "the segment size that FPDUs are cut for; 0 takes that of the connection with `sockets=libc`, and derives it from the network interface's MTU with `sockets=nio`");

    /** How long a peer may take for its MPA Request, in nanoseconds. */
    public static final IwarpOption<Long> HANDSHAKE_TIMEOUT = option(
            "handshake.timeout",
            "10s",
            Values.time(),
            "how long a peer may take for its whole MPA Request, however it comes");

    /** How many peers of a listener may be at their MPA Requests at once. */
    public static final IwarpOption<Integer> MAX_HALF_OPEN = option(
            "max.half.open",
            "512",
            Values.number(1, 65_536),
            "how many peers of one listener may be at that at once; then the oldest of the source that holds most makes"
                    + " room");

    /**
     * How long each of those peers keeps its place at least, in nanoseconds: longer than a good peer's request is on
     * its way.
     */
    public static final IwarpOption<Long> HALF_OPEN_GRACE = option(
            "half.open.grace",
            "100ms",
            Values.time(),
            "how long each of them keeps its place at least; others wait in the system's queue meanwhile");

    /** How long a peer that has everything may send nothing and not close after this side, in nanoseconds. */
    public static final IwarpOption<Long> LINGER = option(
            "linger",
            "2s",
            Values.time(),
            "how long a peer that has everything may send nothing and not close its side after this side did"
                    + " ([ends](#the-end-of-a-connection)); how long it has after it was rejected (less if many are), or"
                    + " after a Terminate, then up to ten times as long while"
                    + " bytes move");

    /** Whether a silent peer is probed. */
    public static final IwarpOption<Boolean> PROBE = option(
            "probe",
            "on",
            Values.flag(),
            "whether a peer that stays silent after set-up is sent up to three empty Writes more"
                    + " ([decision 6](../decisions/0006-probe-writes.md)); Linux siw can overlook the first message");

    /**
     * How long an initiator that has waived the ready-to-receive message may take for its first FPDU before this side
     * sends, in nanoseconds; 0 for ever.
     */
    public static final IwarpOption<Long> FIRST_FPDU_TIMEOUT = option(
            "first.fpdu.timeout",
            "500ms",
            Values.timeOrOff(),
            "how long an accepted peer that has waived the ready-to-receive message may stay silent before this side sends"
                    + " ([who sends first](#who-sends-first)); `off` waits for ever, as RFC 5044 §7.1.2 has it");

    /** Whether connections speak the draft's Swap. Also of single connections. */
    public static final IwarpOption<Boolean> DRAFT_SWAP = option(
            "draft.swap",
            "off",
            Values.flag(),
            "whether Swap is AOpCode 1 of draft-ietf-storm-rdmap-ext-01, and taken as such"
                    + " ([decision 13](../decisions/0013-draft-swap.md)); also of single connections, by"
                    + " `ConnectionConfig.with`");

    /** Whether TCP looks after idle connections. */
    public static final IwarpOption<Boolean> KEEPALIVE =
            option("keepalive", "on", Values.flag(), "whether TCP asks idle peers for a sign of life");

    /** After how long a silence TCP asks, in seconds. */
    public static final IwarpOption<Integer> KEEPALIVE_IDLE =
            option("keepalive.idle", "60s", Values.keepaliveSeconds(), "after how long a silence it asks");

    /** How often TCP asks then, in seconds. */
    public static final IwarpOption<Integer> KEEPALIVE_INTERVAL =
            option("keepalive.interval", "10s", Values.keepaliveSeconds(), "how often it asks then");

    /** How many times TCP asks. */
    public static final IwarpOption<Integer> KEEPALIVE_COUNT =
            option("keepalive.count", "4", Values.number(1, 127), "how many times before the peer counts as gone");

    /**
     * How long a peer may take no bytes, or not answer, while something is under way, in nanoseconds; 0 for ever. RFC
     * 1122 §4.2.3.5 has TCP itself try for at least 100 seconds.
     */
    public static final IwarpOption<Long> PROGRESS_TIMEOUT = option(
            "progress.timeout",
            "100s",
            Values.timeOrOff(),
            "how long a peer may take no bytes, not answer a Read or Atomic, leave an FPDU unfinished, or stay in"
                    + " memory that was taken away; bytes of a message that the answer waits behind are progress");

    /** Whether memory is shared with peers on this host. Also of single connections. */
    public static final IwarpOption<SharedMemoryOptions.Mode> SHM = option(
            "shm",
            "auto",
            Values.constant(SharedMemoryOptions.Mode.class),
            "connections with peers on this host go by [shared memory](#peers-on-the-same-host): with `auto` where the"
                    + " listener has it as well, else by TCP; `require` fails then; `off` has TCP. Linux,"
                    + " `sockets=libc`, without TLS. Also of single connections, given to `connect`");

    /** Bytes of this side's ring. */
    public static final IwarpOption<Integer> SHM_RING = option(
            "shm.ring",
            "" + RingLayout.DEFAULT_RING_BYTES,
            Values.number(RingLayout.MIN_RING_BYTES, RingLayout.MAX_RING_BYTES)
                    .only(
                            "a power of two from " + RingLayout.MIN_RING_BYTES + " to " + RingLayout.MAX_RING_BYTES,
                            "a power of two, " + RingLayout.MIN_RING_BYTES + " to " + RingLayout.MAX_RING_BYTES,
                            RingLayout::isRingSize),
            "bytes of such a connection that may be on their way from this side, and the memory that it has for them");

    /** How many streams of the context may share memory at once; others stay on TCP. */
    public static final IwarpOption<Integer> SHM_MAX = option(
            "shm.max",
            "1024",
            Values.number(1, 65_536),
            "how many connections of the device share memory at once; others go by TCP");

    /** Whether memory is shared with peers of other users. */
    public static final IwarpOption<Boolean> SHM_ANY_USER = option(
            "shm.users",
            "same",
            Values.choice("same", "any").to("any"::equals),
            "whether peers of other users may share memory with this process");

    /** Where peers in other network namespaces are met, if they are. Also of single connections. */
    public static final IwarpOption<Optional<Path>> SHM_DIRECTORY = option(
            "shm.dir",
            "off",
            Values.directory(),
            "the directory by which peers in other network namespaces of this host, as containers have them, are met"
                    + " ([containers](#containers)). It belongs to root or to this user, and is sticky if others may"
                    + " write. Also of single connections, given to `connect`");

    /** Whether each side's processor reaches into the other's memory, where that can be. */
    public static final IwarpOption<Boolean> SHM_DIRECT = option(
            "shm.direct",
            "off",
            Values.flag(),
            "whether the post itself does Writes, Reads and Atomics to a peer of this host: [one host](same-host.md)."
                    + " Both sides have it on, and are of one user; what cannot be goes through the rings."
                    + " Refused with `shm=off`, `sockets=nio`, TLS");

    /** How much of a shared receive queue one stream may have used up, in percent. */
    public static final IwarpOption<Integer> SRQ_SHARE = option(
            "srq.share",
            "100",
            Values.number(1, 100).in("percent"),
            "how much of a shared receive queue one connection may have used up and the application not replaced; beyond"
                    + " it finds none (RFC 5042 §6.4.3.1)");

    /** How many copies of payload that is being sent the context has memory for at once. */
    public static final IwarpOption<Integer> MAX_SNAPSHOTS = option(
            "max.snapshots",
            "128",
            Values.number(0, 65_536),
            "how many connections of the device at once have 128 KiB for copies of what they send (answers to Reads with"
                    + " the CRC on, and whatever lies in files); the others go on in shorter segments");

    private final String name;
    private final String initial;
    private final Values<T> values;
    private final String sentence;

    private IwarpOption(String name, String initial, Values<T> values, String sentence) {
        this.name = name;
        this.initial = initial;
        this.values = values;
        this.sentence = sentence;
    }

    private static <T> IwarpOption<T> option(String name, String initial, Values<T> values, String sentence) {
        IwarpOption<T> option = new IwarpOption<>(name, initial, values, sentence);
        ALL.add(option);
        return option;
    }

    private static Sockets sockets(String kind) {
        try {
            return switch (kind) {
                case "libc" -> SystemSockets.libc();
                case "nio" -> SystemSockets.nio();
                default -> SystemSockets.best();
            };
        } catch (UnsupportedOperationException e) {
            throw new IllegalArgumentException("option sockets=libc is not possible here: " + e.getMessage(), e);
        }
    }

    /** Returns all options in their order, unmodifiable. */
    public static List<IwarpOption<?>> all() {
        return Collections.unmodifiableList(ALL);
    }

    /** Returns the option's name, for example {@code shm.dir}. */
    public String key() {
        return name;
    }

    /** Returns the value that holds unless another is given, as it would be given. */
    public String initial() {
        return initial;
    }

    /** Returns the row of the option in the table of the guide: name, default, values, and what it does. */
    public String row() {
        return "| `%s` | `%s` | %s | %s |".formatted(name, initial, values.documented(), sentence);
    }

    /** Returns {@code text} as it is compared: it matters in a path alone how letters are written. */
    String normal(String text) {
        return values.normal(text);
    }

    /**
     * Returns what {@code text} stands for.
     *
     * @throws IllegalArgumentException if the option cannot have that, naming what it can
     */
    T parse(String text) {
        @Nullable T value = values.read(text);
        if (value == null) {
            throw new IllegalArgumentException("option " + name + " of provider iwarp must be " + values.legal()
                    + ", got \"" + values.normal(text) + "\"");
        }
        return value;
    }

    @Override
    public String toString() {
        return name;
    }
}
