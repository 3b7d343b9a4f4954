package org.panamaverbs.ibverbs.facts;

import org.panamaverbs.api.device.GidEntry;
import org.panamaverbs.api.device.PortAttributes.LinkLayer;
import org.panamaverbs.api.device.PortAttributes.Speed;
import org.panamaverbs.api.device.PortAttributes.State;

/** What the numbers of {@code infiniband/verbs.h} mean that a port is described by. */
final class PortCodes {
    // enum ibv_mtu
    private static final int IBV_MTU_256 = 1;
    private static final int IBV_MTU_4096 = 5;
    private static final int SMALLEST_MTU_BYTES = 256;

    private PortCodes() {}

    /** {@code enum ibv_port_state}. */
    static State state(int code) {
        return switch (code) {
            case 0 -> State.NOP;
            case 1 -> State.DOWN;
            case 2 -> State.INIT;
            case 3 -> State.ARMED;
            case 4 -> State.ACTIVE;
            case 5 -> State.ACTIVE_DEFER;
            default -> State.OTHER;
        };
    }

    /** {@code IBV_LINK_LAYER_*}. */
    static LinkLayer linkLayer(int code) {
        return switch (code) {
            case 0 -> LinkLayer.UNSPECIFIED;
            case 1 -> LinkLayer.INFINIBAND;
            case 2 -> LinkLayer.ETHERNET;
            default -> LinkLayer.OTHER;
        };
    }

    /** Returns the bytes of an {@code enum ibv_mtu}, 0 for another number. */
    static int mtuBytes(int code) {
        return code < IBV_MTU_256 || code > IBV_MTU_4096 ? 0 : SMALLEST_MTU_BYTES << (code - IBV_MTU_256);
    }

    /** Returns the lanes of an {@code ibv_port_attr.active_width}, 0 for another number. */
    static int width(int code) {
        return switch (code) {
            case 1 -> 1;
            case 2 -> 4;
            case 4 -> 8;
            case 8 -> 12;
            case 16 -> 2;
            default -> 0;
        };
    }

    /** {@code ibv_port_attr.active_speed}, and {@code active_speed_ex} of newer headers. */
    static Speed speed(long code) {
        return switch ((int) Math.min(code, Integer.MAX_VALUE)) {
            case 1 -> Speed.SDR;
            case 2 -> Speed.DDR;
            case 4 -> Speed.QDR;
            case 8 -> Speed.FDR10;
            case 16 -> Speed.FDR;
            case 32 -> Speed.EDR;
            case 64 -> Speed.HDR;
            case 128 -> Speed.NDR;
            case 256 -> Speed.XDR;
            default -> Speed.UNKNOWN;
        };
    }

    /** {@code enum ibv_gid_type}. */
    static GidEntry.Type gidType(int code) {
        return switch (code) {
            case 0 -> GidEntry.Type.IB;
            case 1 -> GidEntry.Type.ROCE_V1;
            case 2 -> GidEntry.Type.ROCE_V2;
            default -> GidEntry.Type.OTHER;
        };
    }
}
