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
 * Which sockets go by RDMA and which by plain TCP. The first rule that fits an address counts; where none does, it is
 * {@link RdmaUse#AUTO}. A rule is a line of four fields:
 *
 * <pre>
 * # operation  address      port       use
 * connect      10.0.0.0/8   *          require
 * listen       *            8000-8099  off
 * *            *            *          auto
 * </pre>
 *
 * <p>The operation is {@code connect}, {@code listen} or {@code *}; the address numeric, with or without prefix, that
 * of the peer or that which is bound, whose wildcard {@code *}, {@code 0.0.0.0} and {@code ::} mean; the port that of
 * the peer or that which is bound, 0 where the system is to choose one. Empty lines and what is behind {@code #} say
 * nothing. Rules do not change and may be asked by all threads.
 */
public final class SocketRules {
    /** The property that names a use, or the file of the rules. */
    public static final String PROPERTY = "verbs.sockets.rules";

    private final List<SocketRule> rules;
    private final Verdict otherwise;

    private SocketRules(List<SocketRule> rules, Verdict otherwise) {
        this.rules = rules;
        this.otherwise = otherwise;
    }

    /** Returns rules that say {@code use} of all addresses, since {@code why}. */
    private static SocketRules always(RdmaUse use, String why) {
        return new SocketRules(List.of(), new Verdict(use, why));
    }

    /** Returns rules that say {@code use} of all addresses. */
    public static SocketRules always(RdmaUse use) {
        return always(use, "the program asks for it");
    }

    /**
     * Returns the rules of the {@link #PROPERTY}, as {@link #named} does; without it {@link RdmaUse#AUTO} for all
     * addresses.
     */
    public static SocketRules configured() {
        String value = System.getProperty(PROPERTY);
        return value == null || value.isBlank()
                ? always(RdmaUse.AUTO, "no property " + PROPERTY + " says otherwise")
                : named(value);
    }

    /**
     * Returns the rules that {@code value} names: a use, in small letters, for all addresses, or the path of a file,
     * which is read now.
     *
     * @throws IllegalArgumentException if there is no such file, or a line of it is wrong, saying where, what and what
     *     would be right
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
                            + "); it is require, auto, off, or the path of a file",
                    e);
        }
    }

    /**
     * Returns the rules that {@code lines} are.
     *
     * @param name where the lines are from, for messages
     * @throws IllegalArgumentException if a line is wrong, saying which, what and what would be right
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
        return new SocketRules(List.copyOf(rules), new Verdict(RdmaUse.AUTO, "no line of " + name + " fits"));
    }

    /** Tells whether no socket goes by RDMA, whatever its address. */
    public boolean areOff() {
        return rules.isEmpty() && otherwise.use() == RdmaUse.OFF;
    }

    /** Returns what is said of a socket that connects to {@code remote}, which is resolved. */
    public Verdict toConnect(InetSocketAddress remote) {
        return of(true, remote);
    }

    /** Returns what is said of a socket that listens at {@code local}, which is resolved. */
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
