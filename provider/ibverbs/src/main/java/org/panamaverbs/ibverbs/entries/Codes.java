package org.panamaverbs.ibverbs.entries;

/** The meanings of numbers, in the words of {@code ibv_devinfo(1)}. */
final class Codes {
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
    static String portState(int code) {
        return switch (code) {
            case 1 -> "PORT_DOWN";
            case 2 -> "PORT_INIT";
            case 3 -> "PORT_ARMED";
            case 4 -> "PORT_ACTIVE";
            default -> "invalid state";
        };
    }

    /** {@code enum ibv_mtu}. */
    static String mtu(int code) {
        return code < 1 || code > 5 ? "invalid MTU" : Integer.toString(128 << code);
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

    /** {@code ibv_port_attr.active_width}. */
    static String width(int code) {
        return switch (code) {
            case 1 -> "1";
            case 2 -> "4";
            case 4 -> "8";
            case 8 -> "12";
            case 16 -> "2";
            default -> "invalid width";
        };
    }

    /** {@code ibv_port_attr.active_speed}. */
    static String speed(long code) {
        return switch ((int) code) {
            case 1 -> "2.5 Gbps";
            case 2 -> "5.0 Gbps";
            case 4, 8 -> "10.0 Gbps";
            case 16 -> "14.0 Gbps";
            case 32 -> "25.0 Gbps";
            case 64 -> "50.0 Gbps";
            case 128 -> "100.0 Gbps";
            case 256 -> "200.0 Gbps";
            default -> "invalid speed";
        };
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
    static String linkLayer(int code) {
        return switch (code) {
            case 0 -> "Unspecified";
            case 1 -> "InfiniBand";
            case 2 -> "Ethernet";
            default -> "Unknown";
        };
    }
}
