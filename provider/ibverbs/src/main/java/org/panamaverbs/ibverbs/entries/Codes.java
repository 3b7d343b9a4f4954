package org.panamaverbs.ibverbs.entries;

import org.panamaverbs.api.device.PortAttributes.LinkLayer;
import org.panamaverbs.api.device.PortAttributes.Speed;
import org.panamaverbs.api.device.PortAttributes.State;

/** The meanings of numbers, in the words of {@code ibv_devinfo(1)}. */
final class Codes {
    private static final double MEGA_IN_GIGA = 1_000;

    private Codes() {}

    /** {@code enum ibv_transport_type}. */
    static String transport(int code) {
        return switch (code) {
            case 0 -> "InfiniBand";
            case 1 -> "iWARP";
            case 2 -> "usNIC";
            case 3 -> "usNIC UDP";
            case 4 -> "unspecified";
            default -> "invalid transport";
        };
    }

    /** {@code enum ibv_atomic_cap}. */
    static String atomics(int code) {
        return switch (code) {
            case 0 -> "ATOMIC_NONE";
            case 1 -> "ATOMIC_HCA";
            case 2 -> "ATOMIC_GLOB";
            default -> "invalid atomic capability";
        };
    }

    /** {@code enum ibv_port_state}. */
    static String portState(State state) {
        return switch (state) {
            case DOWN, INIT, ARMED, ACTIVE -> "PORT_" + state;
            case NOP, ACTIVE_DEFER, OTHER -> "invalid state";
        };
    }

    /** An MTU in bytes, 0 for none. */
    static String mtu(int bytes) {
        return bytes == 0 ? "invalid MTU" : Integer.toString(bytes);
    }

    /** InfiniBand's physical state of a port; the tool's spelling. */
    static String physicalState(int code) {
        return switch (code) {
            case 1 -> "SLEEP";
            case 2 -> "POLLING";
            case 3 -> "DISABLED";
            case 4 -> "PORT_CONFIGURATION TRAINNING";
            case 5 -> "LINK_UP";
            case 6 -> "LINK_ERROR_RECOVERY";
            case 7 -> "PHY TEST";
            default -> "invalid physical state";
        };
    }

    /** A number of lanes, 0 for none. */
    static String width(int lanes) {
        return lanes == 0 ? "invalid width" : Integer.toString(lanes);
    }

    /** The speed of a lane. */
    static String speed(Speed speed) {
        return speed == Speed.UNKNOWN ? "invalid speed" : speed.laneMegabits() / MEGA_IN_GIGA + " Gbps";
    }

    /** {@code ibv_port_attr.max_vl_num}. */
    static String virtualLanes(int code) {
        return switch (code) {
            case 1 -> "1";
            case 2 -> "2";
            case 3 -> "4";
            case 4 -> "8";
            case 5 -> "15";
            default -> "invalid value";
        };
    }

    /** {@code ibv_port_attr.link_layer}. */
    static String linkLayer(LinkLayer layer) {
        return switch (layer) {
            case UNSPECIFIED -> "Unspecified";
            case INFINIBAND -> "InfiniBand";
            case ETHERNET -> "Ethernet";
            case OTHER -> "Unknown";
        };
    }
}
