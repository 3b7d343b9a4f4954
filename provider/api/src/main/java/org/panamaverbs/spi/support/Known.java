package org.panamaverbs.spi.support;

import java.util.Collection;
import java.util.List;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ListenerConfig;

/**
 * Checks for unknown devices and options, with one wording: {@code provider iwarp has no option crcs; it has crc,
 * linger}. Any thread.
 */
public final class Known {
    private Known() {}

    /**
     * Checks that {@code config} names one of {@code devices}, or none.
     *
     * @throws IllegalArgumentException if it does not, naming those that exist
     */
    public static void device(String provider, Collection<String> devices, OpenConfig config) {
        if (!config.device().isEmpty()) {
            require(provider, "device", config.device(), devices);
        }
    }

    /**
     * Checks that all options of {@code config} are among {@code options}.
     *
     * @throws IllegalArgumentException if one is not, naming it and those that exist
     */
    public static void options(String provider, Collection<String> options, OpenConfig config) {
        config.options().keySet().stream().sorted().forEach(name -> option(provider, options, name));
    }

    /**
     * Checks that all options of {@code config} are among {@code options}.
     *
     * @throws IllegalArgumentException if one is not, naming it and those that exist
     */
    public static void options(String provider, Collection<String> options, ConnectionConfig config) {
        config.options().keySet().stream()
                .sorted()
                .forEach(name -> require(provider, "connection option", name, options));
    }

    /**
     * Checks that all options of {@code config} are among {@code options}.
     *
     * @throws IllegalArgumentException if one is not, naming it and those that exist
     */
    public static void options(String provider, Collection<String> options, ListenerConfig config) {
        config.options().keySet().stream()
                .sorted()
                .forEach(name -> require(provider, "listener option", name, options));
    }

    /**
     * Checks that {@code name} is among {@code options}.
     *
     * @throws IllegalArgumentException if it is not, naming those that exist
     */
    public static void option(String provider, Collection<String> options, String name) {
        require(provider, "option", name, options);
    }

    private static void require(String provider, String what, String name, Collection<String> known) {
        if (!known.contains(name)) {
            List<String> all = known.stream().sorted().toList();
            throw new IllegalArgumentException("provider " + provider + " has no " + what + " " + name + "; it has "
                    + (all.isEmpty() ? "none" : String.join(", ", all)));
        }
    }
}
