package org.panamaverbs.api;

/**
 * What a port was when it was asked, {@code struct ibv_port_attr}.
 *
 * @param state its state
 * @param linkLayer what carries its packets
 * @param maxMtuBytes the largest path MTU in bytes, 0 if it is not known
 * @param activeMtuBytes the path MTU in bytes, 0 if it is not known; on the provider iwarp the largest FPDU's
 * @param lid its LID, 0 to 65535; 0 where there are none: on Ethernet, and before a subnet manager gave one
 * @param lmc how many low bits of the LID choose among paths, 0 to 7
 * @param smLid the LID of the subnet manager, 0 without
 * @param gidTableLength how many slots its GID table has; 0 if it has no such table
 * @param pkeyTableLength how many slots its table of partition keys has; 0 if it has no such table
 * @param activeWidth how many lanes are in use: 1, 2, 4, 8 or 12; 0 if it is not known
 * @param activeSpeed the speed of one lane
 */
public record PortAttributes(
        State state,
        LinkLayer linkLayer,
        int maxMtuBytes,
        int activeMtuBytes,
        int lid,
        int lmc,
        int smLid,
        int gidTableLength,
        int pkeyTableLength,
        int activeWidth,
        Speed activeSpeed) {
    /** The logical states of a port, {@code enum ibv_port_state}. */
    public enum State {
        /** Nothing is said of it. */
        NOP,
        /** The link is down. */
        DOWN,
        /** The link is up and waits for the subnet manager. */
        INIT,
        /** The subnet manager has configured it; traffic does not flow yet. */
        ARMED,
        /** Traffic can flow. */
        ACTIVE,
        /** Traffic can flow, but the link has failed just now. */
        ACTIVE_DEFER,
        /** A later one than this API knows. */
        OTHER
    }

    /** What carries the packets, {@code IBV_LINK_LAYER_*}. */
    public enum LinkLayer {
        /** The device does not say. */
        UNSPECIFIED,
        /** InfiniBand: addresses are LIDs, and GIDs beyond the subnet. */
        INFINIBAND,
        /** Ethernet: RoCE and iWARP. */
        ETHERNET,
        /** A later one than this API knows. */
        OTHER
    }

    /** The speed of one lane, {@code ibv_port_attr.active_speed}, by InfiniBand's names. */
    public enum Speed {
        /** The device does not say, or a later one than this API knows. */
        UNKNOWN(0),
        /** 2.5 Gbit/s. */
        SDR(2_500),
        /** 5 Gbit/s. */
        DDR(5_000),
        /** 10 Gbit/s. */
        QDR(10_000),
        /** 10 Gbit/s with the encoding of FDR. */
        FDR10(10_000),
        /** 14 Gbit/s. */
        FDR(14_000),
        /** 25 Gbit/s. */
        EDR(25_000),
        /** 50 Gbit/s. */
        HDR(50_000),
        /** 100 Gbit/s. */
        NDR(100_000),
        /** 200 Gbit/s. */
        XDR(200_000);

        private final int laneMegabits;

        Speed(int laneMegabits) {
            this.laneMegabits = laneMegabits;
        }

        /** Returns how many million bits a lane carries each second, rounded as libibverbs does; 0 if unknown. */
        public int laneMegabits() {
            return laneMegabits;
        }
    }

    /** Returns whether traffic can flow. */
    public boolean isActive() {
        return state == State.ACTIVE || state == State.ACTIVE_DEFER;
    }

    /** Returns how many million bits all lanes carry each second; 0 if it is not known. */
    public long activeMegabits() {
        return (long) activeWidth * activeSpeed.laneMegabits();
    }
}
