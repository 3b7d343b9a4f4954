package org.panamaverbs.sockets;

import java.util.List;
import java.util.Properties;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.sockets.rules.SocketRules;

/** What the properties {@code verbs.sockets.*} say beside the rules. */
record SocketSettings(long patienceNanos, long spinNanos) {
    private static final String PREFIX = "verbs.sockets.";

    private static final List<String> NAMES = List.of(
            RdmaSelectorProvider.NET_PROPERTY,
            RdmaSelectorProvider.PATIENCE_PROPERTY,
            SocketRules.PROPERTY,
            RdmaSelectorProvider.SPIN_PROPERTY);

    /**
     * Returns the settings of the system's properties.
     *
     * @throws IllegalArgumentException if one has a value that it may not have, or a name that none has, saying what
     *     would be right
     */
    static SocketSettings configured() {
        Properties properties = System.getProperties();
        for (String name : new TreeSet<>(properties.stringPropertyNames())) {
            if (name.startsWith(PREFIX) && !NAMES.contains(name)) {
                throw new IllegalArgumentException(
                        "unknown setting " + name + "; the settings of sockets are " + String.join(", ", NAMES));
            }
        }
        String net = properties.getProperty(RdmaSelectorProvider.NET_PROPERTY, "off");
        if (!net.equals("on") && !net.equals("off")) {
            throw new IllegalArgumentException(RdmaSelectorProvider.NET_PROPERTY + "=" + net + ": expected on or off");
        }
        return new SocketSettings(
                TimeUnit.MILLISECONDS.toNanos(
                        number(properties, RdmaSelectorProvider.PATIENCE_PROPERTY, "milliseconds", 200, 1, 120_000)),
                TimeUnit.MICROSECONDS.toNanos(
                        number(properties, RdmaSelectorProvider.SPIN_PROPERTY, "microseconds", 10, 0, 1_000_000)));
    }

    private static int number(Properties properties, String name, String unit, int otherwise, int least, int most) {
        String value = properties.getProperty(name, String.valueOf(otherwise));
        int number = number(value);
        if (number < least || number > most) {
            throw new IllegalArgumentException(
                    name + "=" + value + ": expected a number of " + unit + " from " + least + " to " + most);
        }
        return number;
    }

    /** Returns the number of one to nine digits that {@code text} is, -1 if it is none. */
    private static int number(String text) {
        int number = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9 || i == 9) {
                return -1;
            }
            number = 10 * number + digit;
        }
        return text.isEmpty() ? -1 : number;
    }
}
