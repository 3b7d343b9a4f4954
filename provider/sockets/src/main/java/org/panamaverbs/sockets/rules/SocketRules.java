package org.panamaverbs.sockets.rules;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Rules that decide by address whether a socket uses RDMA or plain TCP. The first matching rule applies; without one it
 * is {@link RdmaUse#AUTO}. A rule is a line of four fields:
 *
 * <pre>
 * # operation  address      port       use
 * connect      10.0.0.0/8   *          require
 * listen       *            8000-8099  off
 * *            *            *          auto
 * </pre>
 *
 * <ul>
 *   <li>operation: {@code connect}, {@code listen} or {@code *}
 *   <li>address: the peer's or the bound address, numeric, with or without a prefix; the wildcard address is {@code *},
 *       {@code 0.0.0.0} or {@code ::}
 *   <li>port: the peer's or the bound port; 0 if the system chooses it
 * </ul>
 *
 * <p>Empty lines and text after {@code #} are ignored. Immutable; any thread.
 */
public final class SocketRules {
    /** The property with a use for all addresses, or the path of a rules file. */
    public static final String PROPERTY = "verbs.sockets.rules";

    private final List<SocketRule> rules;
    private final Verdict otherwise;

    private SocketRules(List<SocketRule> rules, Verdict otherwise) {
        this.rules = rules;
        this.otherwise = otherwise;
    }

    /** Returns rules with {@code use} for all addresses, because of {@code why}. */
    private static SocketRules always(RdmaUse use, String why) {
        return new SocketRules(List.of(), new Verdict(use, why));
    }

    /** Returns rules with {@code use} for all addresses. */
    public static SocketRules always(RdmaUse use) {
        return always(use, "the program requested it");
    }

    /** Returns the rules of {@link #PROPERTY}, as {@link #named}; without it {@link RdmaUse#AUTO} for all addresses. */
    public static SocketRules configured() {
        String value = System.getProperty(PROPERTY);
        return value == null || value.isBlank()
                ? always(RdmaUse.AUTO, "property " + PROPERTY + " is not set")
                : named(value);
    }

    /**
     * Returns the rules named by {@code value}: a use in lower case for all addresses, or the path of a file, which is
     * read now.
     *
     * @throws IllegalArgumentException if there is no such file, or a line is invalid, with place, reason and valid
     *     form
     */
    public static SocketRules named(String value) {
        for (RdmaUse each : RdmaUse.values()) {
            if (each.name().toLowerCase(Locale.ROOT).equals(value)) {
                return always(each, PROPERTY + "=" + value);
            }
        }
        try {
            return parse(Files.readAllLines(Path.of(value)), value);
        } catch (IOException | InvalidPathException e) {
            throw new IllegalArgumentException(
                    "the rules of " + PROPERTY + "=" + value + " cannot be read (" + e
                            + "); remedy: set it to require, auto, off or the path of a file",
                    e);
        }
    }

    /**
     * Returns the rules in {@code lines}.
     *
     * @param name the origin of the lines, for messages
     * @throws IllegalArgumentException if a line is invalid, with its number, reason and valid form
     */
    public static SocketRules parse(List<String> lines, String name) {
        List<SocketRule> rules = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            int comment = line.indexOf('#');
            String rule = (comment < 0 ? line : line.substring(0, comment)).strip();
            if (!rule.isEmpty()) {
                rules.add(SocketRule.parse(rule, name + ", line " + (i + 1)));
            }
        }
        return new SocketRules(List.copyOf(rules), new Verdict(RdmaUse.AUTO, "no line of " + name + " matches"));
    }

    /** Returns whether no socket uses RDMA, whatever its address. */
    public boolean areOff() {
        return rules.isEmpty() && otherwise.use() == RdmaUse.OFF;
    }

    /** Returns the verdict for a socket that connects to {@code remote}, which is resolved. */
    public Verdict toConnect(InetSocketAddress remote) {
        return of(true, remote);
    }

    /** Returns the verdict for a socket that listens at {@code local}, which is resolved. */
    public Verdict toListen(InetSocketAddress local) {
        return of(false, local);
    }

    private Verdict of(boolean toConnect, InetSocketAddress address) {
        for (SocketRule each : rules) {
            if (each.fits(toConnect, address)) {
                return each.verdict();
            }
        }
        return otherwise;
    }
}
