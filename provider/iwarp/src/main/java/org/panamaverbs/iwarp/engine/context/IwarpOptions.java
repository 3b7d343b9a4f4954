package org.panamaverbs.iwarp.engine.context;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.support.Known;
import org.panamaverbs.iwarp.net.Keepalive;
import org.panamaverbs.iwarp.net.Sockets;
import org.panamaverbs.iwarp.net.SystemSockets;
import org.panamaverbs.iwarp.ring.RingLayout;

/**
 * The provider's options; {@link org.panamaverbs.iwarp.IwarpProvider} describes them.
 *
 * @param spin whether connections progress only on threads that poll, post or wait
 * @param wire how connections are set up, and what goes over them
 * @param halfOpen what peers that are not connected yet may take of a listener
 * @param patience how long peers may be silent, and what is done about it
 * @param sockets how TCP is reached
 * @param sharedMemory whether and how memory is shared with peers on this host, unless connections say otherwise
 * @param shares how much of what is common one stream, or all of them, may have
 */
public record IwarpOptions(
        boolean spin,
        Wire wire,
        HalfOpen halfOpen,
        Patience patience,
        Sockets sockets,
        SharedMemoryOptions sharedMemory,
        Shares shares) {
    /**
     * How connections are set up, and what goes over them.
     *
     * @param crc whether this side wants the CRC
     * @param markers whether this side wants to receive markers
     * @param revision the MPA revision to connect with, 1 or 2
     * @param rtr what may open a peer-to-peer stream
     * @param segmentBytes the segment size to cut FPDUs for, 0 to derive it
     * @param draftSwap whether connections speak the draft's Swap, unless they say otherwise
     */
    public record Wire(boolean crc, boolean markers, int revision, RtrKinds rtr, int segmentBytes, boolean draftSwap) {}

    /**
     * What may open a peer-to-peer stream (RFC 6581 §9).
     *
     * @param write whether an empty Write may
     * @param read whether an empty Read may
     * @param send whether an empty Send may
     */
    public record RtrKinds(boolean write, boolean read, boolean send) {}

    /**
     * What peers that are not connected yet may take of a listener.
     *
     * @param handshakeNanos how long a peer may take for its request
     * @param most how many peers of a listener may be at it at once
     * @param graceNanos how long each of them keeps its place at least: longer than a good peer's request is on its way
     */
    public record HalfOpen(long handshakeNanos, int most, long graceNanos) {}

    /**
     * How long peers may be silent, and what is done about it.
     *
     * @param lingerNanos how long a peer that has everything may send nothing and not close after this side
     * @param nudge whether a silent peer is nudged
     * @param firstFpduNanos how long an initiator that has waived the ready-to-receive message may take for its first
     *     FPDU before this side sends; 0 for ever
     * @param keepalive how TCP looks after idle connections
     * @param progressNanos how long a peer may take no octets, or not answer, while something is under way; 0 for ever
     */
    public record Patience(
            long lingerNanos, boolean nudge, long firstFpduNanos, Keepalive keepalive, long progressNanos) {}

    /**
     * How much of what is common one stream, or all of them, may have.
     *
     * @param receivesPercent how much of a shared receive queue one stream may have used up
     * @param maxSnapshots how many copies of payload that is being sent the context has memory for at once
     */
    public record Shares(int receivesPercent, int maxSnapshots) {}

    /** The name of {@link Wire#draftSwap}, here and among the options of a connection. */
    static final String DRAFT_SWAP = "draft.swap";

    /** The name of the mode of {@link #sharedMemory}, here and among the options of a connection. */
    static final String SHM = "shm";

    /** The name of the directory of {@link #sharedMemory}, here and among the options of a connection. */
    static final String SHM_DIRECTORY = "shm.dir";

    /** The name of {@link SharedMemoryOptions#direct}. */
    private static final String SHM_DIRECT = "shm.direct";

    /** What system properties of the provider begin with. */
    static final String PREFIX = "verbs.iwarp.";

    private static final String NONE = "off";
    private static final String DIRECTORY_VALUES = "the absolute path of a directory, or off";
    private static final int MIN_SEGMENT = 128;
    private static final int MAX_SEGMENT = 65_535;
    private static final int MAX_HALF_OPEN = 65_536;
    private static final int MAX_SNAPSHOTS = 65_536;
    private static final long MAX_SECONDS = 86_400;
    private static final int MAX_KEEPALIVE_SECONDS = 32_767;
    private static final int MAX_PROBES = 127;
    private static final int MAX_SHARING = 65_536;

    /** What there is, with the values that hold unless others are given. */
    public static final Map<String, String> DEFAULTS = Map.ofEntries(
            Map.entry("progress", "background"),
            Map.entry("crc", "on"),
            Map.entry("markers", "off"),
            Map.entry("revision", "2"),
            Map.entry("rtr", "write,read"),
            Map.entry("fpdu.max", "0"),
            Map.entry("handshake.timeout", "10s"),
            Map.entry("max.half.open", "512"),
            Map.entry("half.open.grace", "100ms"),
            Map.entry("linger", "2s"),
            Map.entry("nudge", "on"),
            Map.entry("first.fpdu.timeout", "500ms"),
            Map.entry(DRAFT_SWAP, "off"),
            Map.entry("keepalive", "on"),
            Map.entry("keepalive.idle", "60s"),
            Map.entry("keepalive.interval", "10s"),
            Map.entry("keepalive.count", "4"),
            Map.entry("progress.timeout", "100s"),
            Map.entry("sockets", "auto"),
            Map.entry(SHM, "auto"),
            Map.entry("shm.ring", "" + RingLayout.DEFAULT_RING_BYTES),
            Map.entry("shm.max", "1024"),
            Map.entry("shm.users", "same"),
            Map.entry(SHM_DIRECTORY, NONE),
            Map.entry(SHM_DIRECT, "off"),
            Map.entry("srq.share", "100"),
            Map.entry("max.snapshots", "128"));

    /**
     * Reads the options; {@code options} win over {@code system}.
     *
     * @throws IllegalArgumentException for an unknown option or a value it cannot have, naming what there is
     */
    public static IwarpOptions parse(Map<String, String> options, Properties system) {
        Map<String, String> given = given(options, system);
        Sockets sockets = sockets(given);
        return new IwarpOptions(
                choice(given, "progress", "background", "spin").equals("spin"),
                wire(given),
                new HalfOpen(
                        nanos(given, "handshake.timeout"),
                        number(given, "max.half.open", 1, MAX_HALF_OPEN),
                        nanos(given, "half.open.grace")),
                patience(given),
                sockets,
                sharedMemory(given, sockets),
                new Shares(number(given, "srq.share", 1, 100), number(given, "max.snapshots", 0, MAX_SNAPSHOTS)));
    }

    private static Wire wire(Map<String, String> given) {
        List<String> rtr = list(given, "rtr", "write", "read", "send");
        return new Wire(
                flag(given, "crc"),
                flag(given, "markers"),
                Integer.parseInt(choice(given, "revision", "2", "1")),
                new RtrKinds(rtr.contains("write"), rtr.contains("read"), rtr.contains("send")),
                segment(given),
                flag(given, DRAFT_SWAP));
    }

    private static Patience patience(Map<String, String> given) {
        return new Patience(
                nanos(given, "linger"),
                flag(given, "nudge"),
                nanosOrOff(given, "first.fpdu.timeout"),
                new Keepalive(
                        flag(given, "keepalive"),
                        seconds(given, "keepalive.idle"),
                        seconds(given, "keepalive.interval"),
                        number(given, "keepalive.count", 1, MAX_PROBES)),
                nanosOrOff(given, "progress.timeout"));
    }

    /** Returns whether sockets of one kind are asked for, by an option or a system property. */
    public static boolean namesSockets(Map<String, String> options, Properties system) {
        return !value(given(options, system), "sockets").equals("auto");
    }

    private static Map<String, String> given(Map<String, String> options, Properties system) {
        Map<String, String> given = new HashMap<>(DEFAULTS);
        for (String property : system.stringPropertyNames()) {
            if (property.startsWith(PREFIX)) {
                put(given, property.substring(PREFIX.length()), system.getProperty(property));
            }
        }
        options.forEach((name, value) -> put(given, name, value));
        return given;
    }

    private static SharedMemoryOptions sharedMemory(Map<String, String> given, Sockets sockets) {
        SharedMemoryOptions.Mode mode = sharedMemoryMode(given);
        int ringBytes = number(given, "shm.ring", RingLayout.MIN_RING_BYTES, RingLayout.MAX_RING_BYTES);
        if (!RingLayout.isRingSize(ringBytes)) {
            throw refused("shm.ring", value(given, "shm.ring"), "a power of two");
        }
        int most = number(given, "shm.max", 1, MAX_SHARING);
        boolean anyUser = choice(given, "shm.users", "same", "any").equals("any");
        boolean bySystemCalls = !sockets.equals(SystemSockets.nio());
        boolean direct = flag(given, SHM_DIRECT);
        if (direct && (mode == SharedMemoryOptions.Mode.OFF || !bySystemCalls)) {
            throw new IllegalArgumentException("shm.direct=on is of no use with "
                    + (bySystemCalls ? "shm=off: take shm=auto or require" : "sockets=nio: it needs sockets=libc"));
        }
        return new SharedMemoryOptions(mode, ringBytes, most, anyUser, directory(given), direct, bySystemCalls);
    }

    /** Returns the directory that {@code given} names, null for {@code off}. */
    static @Nullable Path directory(Map<String, String> given) {
        String value = value(given, SHM_DIRECTORY);
        if (value.equalsIgnoreCase(NONE)) {
            return null;
        }
        try {
            Path path = Path.of(value);
            if (path.isAbsolute()) {
                return path;
            }
        } catch (InvalidPathException e) {
            throw refused(SHM_DIRECTORY, value, DIRECTORY_VALUES);
        }
        throw refused(SHM_DIRECTORY, value, DIRECTORY_VALUES);
    }

    /** Returns the mode that {@code given} names. */
    static SharedMemoryOptions.Mode sharedMemoryMode(Map<String, String> given) {
        return switch (choice(given, SHM, "auto", "off", "require")) {
            case "auto" -> SharedMemoryOptions.Mode.AUTO;
            case "off" -> SharedMemoryOptions.Mode.OFF;
            default -> SharedMemoryOptions.Mode.REQUIRE;
        };
    }

    private static Sockets sockets(Map<String, String> given) {
        try {
            return switch (choice(given, "sockets", "auto", "libc", "nio")) {
                case "libc" -> SystemSockets.libc();
                case "nio" -> SystemSockets.nio();
                default -> SystemSockets.best();
            };
        } catch (UnsupportedOperationException e) {
            throw new IllegalArgumentException("option sockets=libc is not possible here: " + e.getMessage(), e);
        }
    }

    // TCP counts keepalive in seconds up to 32767.
    private static int seconds(Map<String, String> given, String name) {
        long nanos = nanos(given, name);
        if (nanos % TimeUnit.SECONDS.toNanos(1) != 0 || nanos > TimeUnit.SECONDS.toNanos(MAX_KEEPALIVE_SECONDS)) {
            throw refused(name, value(given, name), "whole seconds such as 60s, up to " + MAX_KEEPALIVE_SECONDS + "s");
        }
        return (int) TimeUnit.NANOSECONDS.toSeconds(nanos);
    }

    private static void put(Map<String, String> given, String name, String value) {
        Known.option("iwarp", DEFAULTS.keySet(), name);
        given.put(name, normal(name, value));
    }

    /** Returns {@code value} as it is compared: it matters in a path alone how letters are written. */
    static String normal(String name, String value) {
        return name.equals(SHM_DIRECTORY) ? value.strip() : value.strip().toLowerCase(Locale.ROOT);
    }

    private static String value(Map<String, String> given, String name) {
        return given.getOrDefault(name, "");
    }

    /** Returns whether {@code name} is on; {@link IllegalArgumentException} if it is neither on nor off. */
    static boolean flag(Map<String, String> given, String name) {
        return choice(given, name, "on", "off").equals("on");
    }

    private static String choice(Map<String, String> given, String name, String... values) {
        String value = value(given, name);
        if (!List.of(values).contains(value)) {
            throw refused(name, value, String.join(" or ", values));
        }
        return value;
    }

    private static List<String> list(Map<String, String> given, String name, String... values) {
        List<String> chosen = new ArrayList<>();
        for (String part : value(given, name).split(",", -1)) {
            String value = part.strip();
            if (!List.of(values).contains(value)) {
                throw refused(name, value(given, name), "a list of " + String.join(", ", values));
            }
            chosen.add(value);
        }
        return chosen;
    }

    private static int number(Map<String, String> given, String name, int from, int to) {
        String value = value(given, name);
        try {
            int number = Integer.parseInt(value);
            if (number >= from && number <= to) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw refused(name, value, "a number from " + from + " to " + to);
        }
        throw refused(name, value, "a number from " + from + " to " + to);
    }

    private static int segment(Map<String, String> given) {
        int bytes = number(given, "fpdu.max", 0, MAX_SEGMENT);
        if (bytes != 0 && bytes < MIN_SEGMENT) {
            throw refused("fpdu.max", value(given, "fpdu.max"), "0, or from " + MIN_SEGMENT + " to " + MAX_SEGMENT);
        }
        return bytes;
    }

    /** Returns a time, 0 for {@code off}. */
    private static long nanosOrOff(Map<String, String> given, String name) {
        return value(given, name).equals("off") ? 0 : nanos(given, name);
    }

    private static long nanos(Map<String, String> given, String name) {
        String value = value(given, name);
        boolean millis = value.endsWith("ms");
        boolean seconds = !millis && value.endsWith("s");
        if (millis || seconds) {
            try {
                long amount = Long.parseLong(
                        value.substring(0, value.length() - (millis ? 2 : 1)).strip());
                long limit = millis ? TimeUnit.SECONDS.toMillis(MAX_SECONDS) : MAX_SECONDS;
                if (amount > 0 && amount <= limit) {
                    return (millis ? TimeUnit.MILLISECONDS : TimeUnit.SECONDS).toNanos(amount);
                }
            } catch (NumberFormatException e) {
                throw refused(name, value, "a time such as 500ms or 10s, up to a day");
            }
        }
        throw refused(name, value, "a time such as 500ms or 10s, up to a day");
    }

    private static IllegalArgumentException refused(String name, String value, String legal) {
        return new IllegalArgumentException(
                "option " + name + " of provider iwarp must be " + legal + ", got \"" + value + "\"");
    }
}
