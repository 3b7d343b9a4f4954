package org.panamaverbs.api.ext;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A rule that selects the packets a queue pair receives, {@code struct ibv_flow_attr}. Start with {@link #of} or
 * another type, and change what differs.
 *
 * <p>For example, a UDP multicast feed: {@code FlowRule.of(Ethernet.any().withDestination(MacAddress.ofGroup(g)),
 * Ipv4.any().withDestination(g), Ports.any(UDP).withDestination(port))}.
 *
 * @param type what the rule matches ({@code type})
 * @param priority 0 to 65,535; among matching rules, the lowest number gets the packet ({@code priority})
 * @param port the device's port, from 1; 0 for that of the queue pair ({@code port})
 * @param flags the options ({@code flags})
 * @param specs the conditions from the outermost header inwards, then the actions; at most 255
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_create_flow.3.html">ibv_create_flow(3)</a>
 */
public record FlowRule(Type type, int priority, int port, Set<Flag> flags, List<FlowSpec> specs) {
    private static final int MOST_SPECS = 0xFF;
    private static final int MOST_PORT = 0xFF;
    private static final int MOST_PRIORITY = 0xFFFF;

    /** What a rule matches, {@code enum ibv_flow_attr_type}. */
    public enum Type {
        /** Packets that match the specs. */
        NORMAL,
        /** All packets that are not steered to another queue pair. */
        ALL_DEFAULT,
        /** All multicast packets that are not steered to another queue pair. */
        MC_DEFAULT,
        /** A copy of every packet that the port receives. */
        SNIFFER
    }

    /** Options of a rule, {@code enum ibv_flow_flags}. */
    public enum Flag {
        /** Rules of lower priority get matching packets as well. */
        DONT_TRAP,
        /** The rule applies to packets that the queue pair sends. */
        EGRESS
    }

    /**
     * Checks the ranges and copies the collections.
     *
     * @throws IllegalArgumentException if a number is out of range, or a rule that is not {@link Type#NORMAL} has specs
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

    /** Returns a rule for packets that match all {@code specs}, with priority 0 on the queue pair's port. */
    public static FlowRule of(FlowSpec... specs) {
        return new FlowRule(Type.NORMAL, 0, 0, Set.of(), List.of(specs));
    }

    /** Returns a rule of {@code type} without specs, with priority 0 on the queue pair's port. */
    public static FlowRule of(Type type) {
        return new FlowRule(type, 0, 0, Set.of(), List.of());
    }

    /** Returns a copy with {@code spec} appended. */
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

    /** Returns a copy with another priority, 0 to 65,535. */
    public FlowRule withPriority(int newPriority) {
        return new FlowRule(type, newPriority, port, flags, specs);
    }

    /** Returns a copy for another port of the device, from 1; 0 for the queue pair's. */
    public FlowRule withPort(int newPort) {
        return new FlowRule(type, priority, newPort, flags, specs);
    }
}
