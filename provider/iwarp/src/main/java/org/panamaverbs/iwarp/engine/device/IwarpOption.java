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
            "`background`: a thread of the context serves connections that no thread polls. `spin`: only"
                    + " threads that poll, post or wait do; lowest latency, but nothing moves unless the application"
                    + " polls");

    /** How TCP is reached. */
    public static final IwarpOption<Sockets> SOCKETS = option(
            "sockets",
            "auto",
            Values.choice("auto", "libc", "nio").to(IwarpOption::sockets),
            "`libc`: system calls, Linux only, with [native access](#native-access); fastest. `nio`: the"
                    + " JDK's channels, on any platform. `auto`: `libc` where native access is granted");

    /** Whether this side wants the CRC. */
    public static final IwarpOption<Boolean> CRC = option(
            "crc", "on", Values.flag(), "use the CRC; it is left out only if both sides have it off (RFC 5044 §4.4)");

    /** Whether this side wants to receive markers. */
    public static final IwarpOption<Boolean> MARKERS = option(
            "markers", "off", Values.flag(), "ask the peer for markers; a peer that asks for them always gets them");

    /** The MPA revision to connect with, 1 or 2. */
    public static final IwarpOption<Integer> REVISION = option(
            "revision",
            "2",
            Values.choice("1", "2").to(Integer::valueOf),
            "the MPA revision to connect with; 1 has no read depths and no peer-to-peer mode");

    /** What may open a peer-to-peer stream (RFC 6581 §9): an empty {@code write}, {@code read} or {@code send}. */
    public static final IwarpOption<List<String>> RTR = option(
            "rtr",
            "write,read",
            Values.list("write", "read", "send"),
            "ready-to-receive messages to offer and accept (RFC 6581 §9.2)");

    /** The segment size in bytes to cut FPDUs for, from 128; 0 to derive it. */
    public static final IwarpOption<Integer> FPDU_MAX = option(
            "fpdu.max",
            "0",
            Values.number(0, 65_535)
                    .only("0, or a number from 128 to 65535", "0, or 128 to 65535 bytes", it -> it == 0 || it >= 128),
            "segment size of FPDUs; 0 uses the MSS of the connection with `sockets=libc`, and the MTU of the"
                    + " network interface with `sockets=nio`");

    /** How long a peer may take for its MPA Request, in nanoseconds. */
    public static final IwarpOption<Long> HANDSHAKE_TIMEOUT =
            option("handshake.timeout", "10s", Values.time(), "limit for a peer's whole MPA Request, TLS included");

    /** What private data of initiators that take a Reply in pieces begin with, in hexadecimal; empty for none. */
    public static final IwarpOption<String> REPLY_BEGIN = option(
            "reply.begin",
            "off",
            Values.hexadecimalOrOff(),
            "first bytes of the private data of initiators that take an MPA Reply in pieces: they get its key after"
                    + " 10 ms, though the application has not answered. All others get every Reply in one piece, since"
                    + " Intel's driver and old siw reset the connection otherwise. Also per listener, by"
                    + " `ListenerConfig.with`");

    /** How many peers of a listener may be at their MPA Requests at once. */
    public static final IwarpOption<Integer> MAX_HALF_OPEN = option(
            "max.half.open",
            "512",
            Values.number(1, 65_536),
            "pending handshakes per listener; beyond that, the source with the most loses its oldest");

    /**
     * How long each of those peers keeps its place at least, in nanoseconds: longer than a good peer's request is on
     * its way.
     */
    public static final IwarpOption<Long> HALF_OPEN_GRACE = option(
            "half.open.grace",
            "100ms",
            Values.time(),
            "minimum time before a pending handshake can be evicted; other peers wait in the system's queue");

    /** How long a peer that has everything may send nothing and not close after this side, in nanoseconds. */
    public static final IwarpOption<Long> LINGER = option(
            "linger",
            "2s",
            Values.time(),
            "how long to wait, after this side [closed](#the-end-of-a-connection), for a peer that has all data"
                    + " but neither sends nor closes. Also the time to close after a reject, and after a Terminate"
                    + " (up to ten times as long while bytes move)");

    /** Whether a silent peer is probed. */
    public static final IwarpOption<Boolean> PROBE = option(
            "probe",
            "on",
            Values.flag(),
            "send up to three more empty Writes to a peer that stays silent after set-up, since Linux siw can"
                    + " miss the first message");

    /**
     * How long an initiator that has waived the ready-to-receive message may take for its first FPDU before this side
     * sends, in nanoseconds; 0 for ever.
     */
    public static final IwarpOption<Long> FIRST_FPDU_TIMEOUT = option(
            "first.fpdu.timeout",
            "500ms",
            Values.timeOrOff(),
            "how long the accepting side waits for a first message from a peer without ready-to-receive"
                    + " message, before it sends ([first message](#which-side-sends-first)); `off` waits forever (RFC"
                    + " 5044"
                    + " §7.1.2)");

    /** Whether connections speak the draft's Swap. Also of single connections. */
    public static final IwarpOption<Boolean> DRAFT_SWAP = option(
            "draft.swap",
            "off",
            Values.flag(),
            "use AOpCode 1 as the Swap of draft-ietf-storm-rdmap-ext-01; both sides need it. Also per connection,"
                    + " by `ConnectionConfig.with`");

    /** Whether TCP looks after idle connections. */
    public static final IwarpOption<Boolean> KEEPALIVE =
            option("keepalive", "on", Values.flag(), "probe idle peers with TCP keepalive");

    /** After how long a silence TCP asks, in seconds. */
    public static final IwarpOption<Integer> KEEPALIVE_IDLE =
            option("keepalive.idle", "60s", Values.keepaliveSeconds(), "idle time before the first probe");

    /** How often TCP asks then, in seconds. */
    public static final IwarpOption<Integer> KEEPALIVE_INTERVAL =
            option("keepalive.interval", "10s", Values.keepaliveSeconds(), "interval between probes");

    /** How many times TCP asks. */
    public static final IwarpOption<Integer> KEEPALIVE_COUNT =
            option("keepalive.count", "4", Values.number(1, 127), "unanswered probes after which the connection ends");

    /**
     * How long a peer may take no bytes, or not answer, while something is under way, in nanoseconds; 0 for ever. RFC
     * 1122 §4.2.3.5 has TCP itself try for at least 100 seconds.
     */
    public static final IwarpOption<Long> PROGRESS_TIMEOUT = option(
            "progress.timeout",
            "100s",
            Values.timeOrOff(),
            "how long a peer may accept no bytes, answer no Read or Atomic, leave an FPDU unfinished, or access"
                    + " revoked memory");

    /** Whether memory is shared with peers on this host. Also of single connections. */
    public static final IwarpOption<SharedMemoryOptions.Mode> SHM = option(
            "shm",
            "auto",
            Values.constant(SharedMemoryOptions.Mode.class),
            "[shared memory](#peers-on-the-same-host) with peers on this host. `auto`: where both sides"
                    + " support it, otherwise TCP. `require`: fail otherwise. Linux, `sockets=libc`, no TLS. Also per"
                    + " connection, on the connecting side");

    /** Bytes of this side's ring. */
    public static final IwarpOption<Integer> SHM_RING = option(
            "shm.ring",
            "" + RingLayout.DEFAULT_RING_BYTES,
            Values.number(RingLayout.MIN_RING_BYTES, RingLayout.MAX_RING_BYTES)
                    .only(
                            "a power of two from " + RingLayout.MIN_RING_BYTES + " to " + RingLayout.MAX_RING_BYTES,
                            "a power of two, " + RingLayout.MIN_RING_BYTES + " to " + RingLayout.MAX_RING_BYTES,
                            RingLayout::isRingSize),
            "ring size for bytes in flight from this side, for each connection over shared memory");

    /** How many streams of the context may share memory at once; others stay on TCP. */
    public static final IwarpOption<Integer> SHM_MAX = option(
            "shm.max",
            "1024",
            Values.number(1, 65_536),
            "connections of the device over shared memory at once; further ones use TCP");

    /** Whether memory is shared with peers of other users. */
    public static final IwarpOption<Boolean> SHM_ANY_USER = option(
            "shm.users",
            "same",
            Values.choice("same", "any").to("any"::equals),
            "share memory with processes of other users");

    /** Where peers in other network namespaces are met, if they are. Also of single connections. */
    public static final IwarpOption<Optional<Path>> SHM_DIRECTORY = option(
            "shm.dir",
            "off",
            Values.directory(),
            "rendezvous directory for peers in other network namespaces of this host"
                    + " ([containers](#containers)); owned by root or this user, sticky if others can write. Also per"
                    + " connection, on the connecting side");

    /** Whether each side's processor reaches into the other's memory, where that can be. */
    public static final IwarpOption<SharedMemoryOptions.Direct> SHM_DIRECT = option(
            "shm.direct",
            "auto",
            Values.constant(SharedMemoryOptions.Direct.class),
            "carry out Writes, Reads and Atomics on the peer's memory [within the post](same-host.md); other"
                    + " requests use the rings. `auto`: if each process could reach the other's memory by"
                    + " `ptrace(2)` anyway. `on`: if both have the same user; refused with `shm=off`,"
                    + " `sockets=nio` or TLS");

    /** Whether what a busy stream nearly always sends and gets is done by header prediction. */
    public static final IwarpOption<Boolean> PREDICTION = option(
            "prediction",
            "on",
            Values.flag(),
            "whether the expected small Sends and Writes take a short path (header prediction); `off` uses the"
                    + " general path for all, with the same results");

    /** How much of a shared receive queue one stream may have used up, in percent. */
    public static final IwarpOption<Integer> SRQ_SHARE = option(
            "srq.share",
            "100",
            Values.number(1, 100).in("percent"),
            "share of a shared receive queue that one connection may hold before the application replaces"
                    + " receives; beyond it, the connection finds none (RFC 5042 §6.4.3.1)");

    /** How many copies of payload that is being sent the context has memory for at once. */
    public static final IwarpOption<Integer> MAX_SNAPSHOTS = option(
            "max.snapshots",
            "128",
            Values.number(0, 65_536),
            "connections of the device with 128 KiB each for copies of outgoing data (Read responses with"
                    + " CRC, file memory); others send shorter segments");

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
            throw new IllegalArgumentException("option sockets=libc cannot be used here: " + e.getMessage(), e);
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
