package org.panamaverbs.testkit.soak;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What the command line says; {@code provider/testkit/soak --help} describes it.
 *
 * @param provider the provider
 * @param device its device, empty for the first
 * @param address an address of this machine that leads to the device
 * @param connections of the process under test, half of them accepted
 * @param seconds how long, beside warm-up
 * @param peers processes
 * @param sharedPercent how many of a hundred connections may go by shared memory
 * @param killMillis from one kill to the next
 * @param boundMillis how long after its end a connection may lack completions
 * @param seed of all random choices
 * @param json where the summary goes as JSON
 */
record SoakOptions(
        String provider,
        String device,
        String address,
        int connections,
        int seconds,
        int peers,
        int sharedPercent,
        long killMillis,
        long boundMillis,
        long seed,
        Optional<Path> json) {
    // Loopback has about as many ports between two addresses.
    private static final int MAX_CONNECTIONS = 25_000;

    /**
     * Reads the options.
     *
     * @throws IllegalArgumentException for anything that cannot be, saying what can
     */
    static SoakOptions parse(List<String> arguments) {
        SoakOptions options = new SoakOptions(
                "iwarp", "", "127.0.0.1", 2000, 600, 4, 50, 10_000, 10_000, System.nanoTime(), Optional.empty());
        Deque<String> rest = new ArrayDeque<>(arguments);
        while (!rest.isEmpty()) {
            String name = rest.pop();
            if (rest.isEmpty()) {
                throw new IllegalArgumentException(name + " needs a value, or is unknown");
            }
            options = options.with(name, rest.pop());
        }
        return options;
    }

    private SoakOptions with(String name, String value) {
        return switch (name) {
            case "--provider" -> changed(value, device, address, connections, seconds, peers);
            case "--device" -> changed(provider, value, address, connections, seconds, peers);
            case "--address" -> changed(provider, device, value, connections, seconds, peers);
            case "--connections" ->
                changed(provider, device, address, number(name, value, 2, MAX_CONNECTIONS), seconds, peers);
            case "--seconds" -> changed(provider, device, address, connections, number(name, value, 1, 86_400), peers);
            case "--peers" -> changed(provider, device, address, connections, seconds, number(name, value, 1, 64));
            case "--shared" -> shared(number(name, value, 0, 100));
            case "--kill-every" -> timed(millis(name, value), boundMillis, seed, json);
            case "--bound" -> timed(killMillis, millis(name, value), seed, json);
            case "--seed" -> timed(killMillis, boundMillis, Long.parseLong(value), json);
            case "--json" -> timed(killMillis, boundMillis, seed, Optional.of(Path.of(value)));
            default -> throw new IllegalArgumentException("unknown option " + name);
        };
    }

    private SoakOptions changed(String p, String d, String a, int c, int s, int n) {
        return new SoakOptions(p, d, a, c, s, n, sharedPercent, killMillis, boundMillis, seed, json);
    }

    private SoakOptions shared(int percent) {
        return new SoakOptions(
                provider, device, address, connections, seconds, peers, percent, killMillis, boundMillis, seed, json);
    }

    private SoakOptions timed(long kill, long bound, long newSeed, Optional<Path> newJson) {
        return new SoakOptions(
                provider, device, address, connections, seconds, peers, sharedPercent, kill, bound, newSeed, newJson);
    }

    private static int number(String name, String value, int from, int to) {
        try {
            int number = Integer.parseInt(value);
            if (number >= from && number <= to) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " needs a number, got " + value, e);
        }
        throw new IllegalArgumentException(name + " must be " + from + " to " + to + ", got " + value);
    }

    private static long millis(String name, String value) {
        try {
            if (value.endsWith("ms")) {
                return Math.max(1, Long.parseLong(value.substring(0, value.length() - 2)));
            }
            String seconds = value.endsWith("s") ? value.substring(0, value.length() - 1) : value;
            return Math.max(1, TimeUnit.SECONDS.toMillis(Long.parseLong(seconds)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " needs a time such as 2s or 500ms, got " + value, e);
        }
    }
}
