package org.panamaverbs.ibverbs.facts;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.device.GidEntry;
import org.panamaverbs.api.device.PortAttributes.LinkLayer;
import org.panamaverbs.api.device.PortAttributes.Speed;
import org.panamaverbs.api.device.PortAttributes.State;

/** The numbers of infiniband/verbs.h of rdma-core 56, and those that it does not have. */
class PortCodesTest {
    @ParameterizedTest
    @CsvSource({"1, 1", "2, 4", "4, 8", "8, 12", "16, 2", "0, 0", "3, 0", "32, 0", "255, 0"})
    void lanes(int code, int lanes) {
        assertThat(PortCodes.width(code)).isEqualTo(lanes);
    }

    @ParameterizedTest
    @CsvSource({
        "1, SDR, 2500",
        "2, DDR, 5000",
        "4, QDR, 10000",
        "8, FDR10, 10000",
        "16, FDR, 14000",
        "32, EDR, 25000",
        "64, HDR, 50000",
        "128, NDR, 100000",
        "256, XDR, 200000",
        "0, UNKNOWN, 0",
        "3, UNKNOWN, 0",
        "512, UNKNOWN, 0",
        "4294967295, UNKNOWN, 0",
        "4294967297, UNKNOWN, 0",
    })
    void speedOfALane(long code, Speed speed, int megabits) {
        assertThat(PortCodes.speed(code)).isEqualTo(speed);
        assertThat(speed.laneMegabits()).isEqualTo(megabits);
    }

    @ParameterizedTest
    @CsvSource({"0, NOP", "1, DOWN", "2, INIT", "3, ARMED", "4, ACTIVE", "5, ACTIVE_DEFER", "6, OTHER", "-1, OTHER"})
    void state(int code, State state) {
        assertThat(PortCodes.state(code)).isEqualTo(state);
    }

    @ParameterizedTest
    @CsvSource({"0, UNSPECIFIED", "1, INFINIBAND", "2, ETHERNET", "3, OTHER", "255, OTHER"})
    void linkLayer(int code, LinkLayer layer) {
        assertThat(PortCodes.linkLayer(code)).isEqualTo(layer);
    }

    @ParameterizedTest
    @CsvSource({"1, 256", "2, 512", "3, 1024", "4, 2048", "5, 4096", "0, 0", "6, 0", "-1, 0"})
    void mtu(int code, int bytes) {
        assertThat(PortCodes.mtuBytes(code)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({"0, IB", "1, ROCE_V1", "2, ROCE_V2", "3, OTHER", "-1, OTHER"})
    void gidType(int code, GidEntry.Type type) {
        assertThat(PortCodes.gidType(code)).isEqualTo(type);
    }
}
