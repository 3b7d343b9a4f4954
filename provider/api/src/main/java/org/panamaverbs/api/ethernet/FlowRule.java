package org.panamaverbs.api.ethernet;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Which packets a queue pair receives, {@code struct ibv_flow_attr}. Start with {@link #of} or one of the other types,
 * and change what differs.
 *
 * <p>For example, a feed of UDP by multicast: {@code FlowRule.of(Ethernet.any().withDestination(MacAddress.ofGroup(g)),
 * Ipv4.any().withDestination(g), Ports.any(UDP).withDestination(port))}.
 *
 * @param type what the rule is about
 * @param priority 0 to 65535: of rules that match, the one with the lowest number gets the packet
 * @param port the device's port, from 1; 0 for that of the queue pair
 * @param flags the rest
 * @param specs what packets must be, from the outermost header inwards, then what becomes of them; at most 255
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_create_flow.3.html">ibv_create_flow(3)</a>
 */
public record FlowRule(Type type, int priority, int port, Set<Flag> flags, List<FlowSpec> specs) {
    private static final int MOST_SPECS = 0xFF;
    private static final int MOST_PORT = 0xFF;
    private static final int MOST_PRIORITY = 0xFFFF;

    /** What a rule is about, {@code enum ibv_flow_attr_type}. */
    public enum Type {
        /** What the specs say. */
        NORMAL,
        /** All that no other queue pair gets. */
        ALL_DEFAULT,
        /** All multicast that no other queue pair gets. */
        MC_DEFAULT,
        /** A copy of all that the port receives: a sniffer. */
        SNIFFER
    }

    /** The rest of a rule, {@code enum ibv_flow_flags}. */
    public enum Flag {
        /** Rules of lower priority get what matches, too. */
        DONT_TRAP,
        /** The rule is about what the queue pair sends. */
        EGRESS
    }

    /**
     * Copies the collections and checks the ranges.
     *
     * @throws IllegalArgumentException if a number is beyond its range, or a rule that is not {@link Type#NORMAL} has
     *     specs
     */
    public FlowRule {
        flags = Set.copyOf(flags);
        specs = List.copyOf(specs);
        if (specs.size() > MOST_SPECS) {
            throw new IllegalArgumentException("a rule has at most 255 specs, got " + specs.size());
        }
        if (type != Type.NORMAL && !specs.isEmpty()) {
            throw new IllegalArgumentException("a rule of type " + type + " has no specs, got " + specs);
        }
        require("priority", priority, 0, MOST_PRIORITY);
        require("port", port, 0, MOST_PORT);
    }

    private static void require(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " must be " + least + " to " + most + ", got " + value);
        }
    }

    /** Returns a rule for what matches all {@code specs}, of priority 0 on the queue pair's port. */
    public static FlowRule of(FlowSpec... specs) {
        return new FlowRule(Type.NORMAL, 0, 0, Set.of(), List.of(specs));
    }

    /** Returns a rule of {@code type} without specs, of priority 0 on the queue pair's port. */
    public static FlowRule of(Type type) {
        return new FlowRule(type, 0, 0, Set.of(), List.of());
    }

    /** Returns a copy with {@code spec} behind the others. */
    public FlowRule with(FlowSpec spec) {
        List<FlowSpec> more = new ArrayList<>(specs);
        more.add(spec);
        return new FlowRule(type, priority, port, flags, more);
    }

    /** Returns a copy with {@code flag}. */
    public FlowRule with(Flag flag) {
        Set<Flag> more = EnumSet.of(flag);
        more.addAll(flags);
        return new FlowRule(type, priority, port, more, specs);
    }

    /** Returns a copy of another priority, 0 to 65535. */
    public FlowRule withPriority(int newPriority) {
        return new FlowRule(type, newPriority, port, flags, specs);
    }

    /** Returns a copy for another port of the device, from 1; 0 for that of the queue pair. */
    public FlowRule withPort(int newPort) {
        return new FlowRule(type, priority, newPort, flags, specs);
    }
}
