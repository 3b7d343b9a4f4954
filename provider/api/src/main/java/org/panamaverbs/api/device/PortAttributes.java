package org.panamaverbs.api.device;

/**
 * The attributes of a port when queried, {@code struct ibv_port_attr}.
 *
 * @param state the state ({@code state})
 * @param linkLayer the link layer ({@code link_layer})
 * @param maxMtuBytes the maximum path MTU in bytes, 0 if unknown ({@code max_mtu})
 * @param activeMtuBytes the path MTU in bytes, 0 if unknown; on iwarp the maximum FPDU ({@code active_mtu})
 * @param lid the LID, 0 to 65,535; 0 on Ethernet and before a subnet manager assigned one ({@code lid})
 * @param lmc the number of low LID bits that select a path, 0 to 7 ({@code lmc})
 * @param smLid the LID of the subnet manager, 0 if there is none ({@code sm_lid})
 * @param gidTableLength the length of the GID table, 0 if there is none ({@code gid_tbl_len})
 * @param pkeyTableLength the length of the P_Key table, 0 if there is none ({@code pkey_tbl_len})
 * @param activeWidth the number of active lanes: 1, 2, 4, 8 or 12; 0 if unknown ({@code active_width})
 * @param activeSpeed the speed of a lane ({@code active_speed})
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
    /** The logical state of a port, {@code enum ibv_port_state}. */
    public enum State {
        /** Not reported. */
        NOP,
        /** The link is down. */
        DOWN,
        /** The link is up and waits for the subnet manager. */
        INIT,
        /** Configured by the subnet manager; traffic cannot flow yet. */
        ARMED,
        /** Traffic can flow. */
        ACTIVE,
        /** Traffic can flow, but the link has just failed. */
        ACTIVE_DEFER,
        /** A later one than this API knows. */
        OTHER
    }

    /** The link layer, {@code IBV_LINK_LAYER_*}. */
    public enum LinkLayer {
        /** Not reported. */
        UNSPECIFIED,
        /** InfiniBand: addresses are LIDs, and GIDs beyond the subnet. */
        INFINIBAND,
        /** Ethernet: RoCE and iWARP. */
        ETHERNET,
        /** A later one than this API knows. */
        OTHER
    }

    /** The speed of a lane under InfiniBand's names, {@code ibv_port_attr.active_speed}. */
    public enum Speed {
        /** Not reported, or unknown to this API. */
        UNKNOWN(0),
        /** 2.5 Gbit/s. */
        SDR(2_500),
        /** 5 Gbit/s. */
        DDR(5_000),
        /** 10 Gbit/s. */
        QDR(10_000),
        /** 10 Gbit/s with FDR encoding. */
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

        /** Returns the Mbit/s of a lane, rounded as in libibverbs; 0 if unknown. */
        public int laneMegabits() {
            return laneMegabits;
        }
    }

    /** Returns whether traffic can flow. */
    public boolean isActive() {
        return state == State.ACTIVE || state == State.ACTIVE_DEFER;
    }

    /** Returns the Mbit/s of all lanes; 0 if unknown. */
    public long activeMegabits() {
        return (long) activeWidth * activeSpeed.laneMegabits();
    }
}
