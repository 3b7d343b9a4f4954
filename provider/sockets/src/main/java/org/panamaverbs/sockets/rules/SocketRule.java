package org.panamaverbs.sockets.rules;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One line of the rules. */
final class SocketRule {
    /** What a line is, for messages. */
    private static final String FORM =
            "a rule has four fields: connect, listen or *; an address, with a prefix as in 10.0.0.0/8, or *; a port,"
                    + " a range as in 8000-8099, or *; and require, auto or off";

    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final Pattern RANGE = Pattern.compile("(\\d{1,5})(?:-(\\d{1,5}))?");

    /** Numbers, colons and dots alone, and all four numbers. */
    private static final Pattern NUMERIC = Pattern.compile("\\d+\\.\\d+\\.\\d+\\.\\d+|[0-9a-fA-F.]*:[0-9a-fA-F:.]*");

    private static final int FIELDS = 4;
    private static final int MOST_PORT = 65_535;

    private final boolean connecting;
    private final boolean listening;
    private final Predicate<InetAddress> addresses;
    private final int firstPort;
    private final int lastPort;
    private final Verdict verdict;

    private SocketRule(
            String operation, Predicate<InetAddress> addresses, int firstPort, int lastPort, Verdict verdict) {
        connecting = !operation.equals("listen");
        listening = !operation.equals("connect");
        this.addresses = addresses;
        this.firstPort = firstPort;
        this.lastPort = lastPort;
        this.verdict = verdict;
    }

    /**
     * Parses a line that is neither empty nor a comment.
     *
     * @param place where it stands, for messages
     * @throws IllegalArgumentException saying what is wrong with it, and what a rule is
     */
    static SocketRule parse(String line, String place) {
        String[] fields = BLANKS.split(line, -1);
        if (fields.length != FIELDS) {
            throw wrong(place, line, "it has " + fields.length + " fields, expected " + FIELDS);
        }
        String operation = fields[0].toLowerCase(Locale.ROOT);
        if (!operation.equals("*") && !operation.equals("connect") && !operation.equals("listen")) {
            throw wrong(place, line, fields[0] + " is not one of connect, listen and *");
        }
        int first = 0;
        int last = MOST_PORT;
        if (!fields[2].equals("*")) {
            Matcher range = RANGE.matcher(fields[2]);
            if (!range.matches()) {
                throw wrong(place, line, fields[2] + " is not a port");
            }
            first = Integer.parseInt(range.group(1));
            last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
            if (first > last || last > MOST_PORT) {
                throw wrong(place, line, fields[2] + " has a port outside of 0 to " + MOST_PORT);
            }
        }
        RdmaUse use;
        try {
            use = RdmaUse.valueOf(fields[3].toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw wrong(place, line, fields[3] + " is not one of require, auto and off");
        }
        return new SocketRule(
                operation, addresses(fields[1], place, line), first, last, new Verdict(use, place + ": " + line));
    }

    private static Predicate<InetAddress> addresses(String field, String place, String line) {
        if (field.equals("*")) {
            return any -> true;
        }
        int slash = field.indexOf('/');
        String number = slash < 0 ? field : field.substring(0, slash);
        if (!NUMERIC.matcher(number).matches()) {
            throw wrong(place, line, number + " is not a numeric address");
        }
        InetAddress network;
        int prefix;
        try {
            network = InetAddress.ofLiteral(number);
            prefix = slash < 0 ? bits(network) : Integer.parseInt(field.substring(slash + 1));
        } catch (IllegalArgumentException e) {
            throw wrong(place, line, field + " is not an address");
        }
        if (prefix < 0 || prefix > bits(network)) {
            throw wrong(place, line, field + " has a prefix outside of 0 to " + bits(network));
        }
        return address -> (network.isAnyLocalAddress() && address.isAnyLocalAddress())
                || sharesPrefix(network.getAddress(), address.getAddress(), prefix);
    }

    private static int bits(InetAddress address) {
        return address.getAddress().length * Byte.SIZE;
    }

    private static boolean sharesPrefix(byte[] network, byte[] address, int bits) {
        if (network.length != address.length) {
            return false;
        }
        for (int i = 0; i < bits; i++) {
            int mask = 0x80 >>> (i % Byte.SIZE);
            if (((network[i / Byte.SIZE] ^ address[i / Byte.SIZE]) & mask) != 0) {
                return false;
            }
        }
        return true;
    }

    private static IllegalArgumentException wrong(String place, String line, String what) {
        return new IllegalArgumentException(place + ": " + what + ", in \"" + line + "\"; " + FORM);
    }

    boolean fits(boolean toConnect, InetSocketAddress address) {
        return (toConnect ? connecting : listening)
                && address.getPort() >= firstPort
                && address.getPort() <= lastPort
                && addresses.test(address.getAddress());
    }

    Verdict verdict() {
        return verdict;
    }
}
