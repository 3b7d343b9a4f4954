package org.panamaverbs.iwarp.engine.device;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.panamaverbs.iwarp.net.Keepalive;
import org.panamaverbs.iwarp.net.SystemSockets;
import org.panamaverbs.spi.support.Known;

/**
 * A value for each {@link IwarpOption}; {@link org.panamaverbs.iwarp.IwarpProvider} says how they are given. Immutable;
 * any thread.
 */
public final class IwarpOptions {
    /** What system properties of the provider begin with. */
    private static final String PREFIX = "verbs.iwarp.";

    private final Map<IwarpOption<?>, Object> values;
    private final boolean namesSockets;
    private final SharedMemoryOptions sharedMemory;

    private IwarpOptions(Map<IwarpOption<?>, Object> values, boolean namesSockets) {
        this.values = Map.copyOf(values);
        this.namesSockets = namesSockets;
        sharedMemory = new SharedMemoryOptions(
                get(IwarpOption.SHM),
                get(IwarpOption.SHM_RING),
                get(IwarpOption.SHM_MAX),
                get(IwarpOption.SHM_ANY_USER),
                get(IwarpOption.SHM_DIRECTORY).orElse(null),
                get(IwarpOption.SHM_DIRECT),
                !get(IwarpOption.SOCKETS).equals(SystemSockets.nio()));
    }

    /**
     * Reads the options; {@code options} win over {@code system}.
     *
     * @throws IllegalArgumentException for an unknown option or a value it cannot have, naming what there is
     */
    public static IwarpOptions parse(Map<String, String> options, Properties system) {
        List<String> names = IwarpOption.all().stream().map(IwarpOption::key).toList();
        Map<String, String> given = new HashMap<>();
        for (String property : system.stringPropertyNames()) {
            if (property.startsWith(PREFIX)) {
                given.put(property.substring(PREFIX.length()), system.getProperty(property));
            }
        }
        given.putAll(options);
        given.keySet().forEach(name -> Known.option("iwarp", names, name));
        Map<IwarpOption<?>, Object> values = new HashMap<>();
        for (IwarpOption<?> each : IwarpOption.all()) {
            values.put(each, each.parse(given.getOrDefault(each.key(), each.initial())));
        }
        String sockets = given.getOrDefault(IwarpOption.SOCKETS.key(), IwarpOption.SOCKETS.initial());
        IwarpOptions parsed =
                new IwarpOptions(values, !IwarpOption.SOCKETS.normal(sockets).equals(IwarpOption.SOCKETS.initial()));
        requireUse(parsed.sharedMemory());
        return parsed;
    }

    private static void requireUse(SharedMemoryOptions shared) {
        if (shared.direct() == SharedMemoryOptions.Direct.ON && (!shared.isWanted() || !shared.bySystemCalls())) {
            throw new IllegalArgumentException("shm.direct=on has no effect with "
                    + (shared.bySystemCalls()
                            ? "shm=off; remedy: set shm=auto or shm=require"
                            : "sockets=nio; remedy: set sockets=libc"));
        }
    }

    /**
     * Returns the same with other values for the options that {@code given} names.
     *
     * @throws IllegalArgumentException for a value that an option cannot have, naming what it can
     */
    IwarpOptions with(Map<IwarpOption<?>, String> given) {
        Map<IwarpOption<?>, Object> others = new HashMap<>(values);
        given.forEach((option, text) -> others.put(option, option.parse(text)));
        return new IwarpOptions(others, namesSockets);
    }

    /** Returns the value of {@code option}. */
    @SuppressWarnings("unchecked") // what the option itself has read
    public <T> T get(IwarpOption<T> option) {
        return (T) Objects.requireNonNull(values.get(option));
    }

    /** Tells whether sockets of one kind are asked for, by an option or a system property. */
    public boolean namesSockets() {
        return namesSockets;
    }

    /** Returns how TCP looks after idle connections. */
    public Keepalive keepalive() {
        return new Keepalive(
                get(IwarpOption.KEEPALIVE),
                get(IwarpOption.KEEPALIVE_IDLE),
                get(IwarpOption.KEEPALIVE_INTERVAL),
                get(IwarpOption.KEEPALIVE_COUNT));
    }

    /** Returns what is wanted of memory shared with peers on this host. */
    public SharedMemoryOptions sharedMemory() {
        return sharedMemory;
    }
}
