package org.panamaverbs.api.device;

import java.util.OptionalInt;
import org.panamaverbs.api.AddressHandleConfig;

/**
 * A rate limit of a path, {@code enum ibv_rate}, for {@link AddressHandleConfig#withStaticRate} if the receiver's port
 * is slower. Names are link rates in Gbit/s; {@link #megabits} is the rate according to the encoding of each
 * generation.
 */
public enum StaticRate {
    /** The port's own rate. */
    MAX(0, -1, -1),
    /** 1 lane of SDR. */
    GBPS_2_5(2, 2_500, 1),
    /** 1 lane of DDR. */
    GBPS_5(5, 5_000, 2),
    /** 4 lanes of SDR. */
    GBPS_10(3, 10_000, 4),
    /** 4 lanes of DDR. */
    GBPS_20(6, 20_000, 8),
    /** 12 lanes of SDR. */
    GBPS_30(4, 30_000, 12),
    /** 4 lanes of QDR. */
    GBPS_40(7, 40_000, 16),
    /** 12 lanes of DDR. */
    GBPS_60(8, 60_000, 24),
    /** 8 lanes of QDR. */
    GBPS_80(9, 80_000, 32),
    /** 12 lanes of QDR. */
    GBPS_120(10, 120_000, 48),
    /** 1 lane of FDR. */
    GBPS_14(11, 14_062, -1),
    /** 4 lanes of FDR. */
    GBPS_56(12, 56_250, -1),
    /** 8 lanes of FDR. */
    GBPS_112(13, 112_500, -1),
    /** 12 lanes of FDR. */
    GBPS_168(14, 168_750, -1),
    /** 1 lane of EDR. */
    GBPS_25(15, 25_781, -1),
    /** 4 lanes of EDR. */
    GBPS_100(16, 103_125, -1),
    /** 8 lanes of EDR, 4 lanes of HDR. */
    GBPS_200(17, 206_250, -1),
    /** 12 lanes of EDR. */
    GBPS_300(18, 309_375, -1),
    /** 2 lanes of FDR. */
    GBPS_28(19, 28_125, 11),
    /** 1 lane of HDR. */
    GBPS_50(20, 53_125, 20),
    /** 4 lanes of NDR. */
    GBPS_400(21, 425_000, 160),
    /** 12 lanes of HDR. */
    GBPS_600(22, 637_500, 240),
    /** 8 lanes of NDR, 4 lanes of XDR. */
    GBPS_800(23, 850_000, 320),
    /** 12 lanes of NDR. */
    GBPS_1200(24, 1_275_000, 480);

    private final int code;
    private final int megabits;
    private final int multiple;

    StaticRate(int code, int megabits, int multiple) {
        this.code = code;
        this.megabits = megabits;
        this.multiple = multiple;
    }

    /** Returns libibverbs' number, for {@link AddressHandleConfig#staticRate()}. */
    public int code() {
        return code;
    }

    /** Returns the rate in Mbit/s ({@code ibv_rate_to_mbps(3)}); empty for {@link #MAX}. */
    public OptionalInt megabits() {
        return megabits < 0 ? OptionalInt.empty() : OptionalInt.of(megabits);
    }

    /** Returns the rate in multiples of 2.5 Gbit/s ({@code ibv_rate_to_mult(3)}); empty if libibverbs has none. */
    public OptionalInt multiple() {
        return multiple < 0 ? OptionalInt.empty() : OptionalInt.of(multiple);
    }

    /**
     * Returns the rate with number {@code code} in libibverbs.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static StaticRate of(int code) {
        for (StaticRate rate : values()) {
            if (rate.code == code) {
                return rate;
            }
        }
        throw new IllegalArgumentException("unknown static rate number " + code);
    }

    /**
     * Returns the rate of exactly {@code megabits} Mbit/s ({@code mbps_to_ibv_rate(3)}), {@link #MAX} if there is none.
     */
    public static StaticRate ofMegabits(int megabits) {
        for (StaticRate rate : values()) {
            if (rate != MAX && rate.megabits == megabits) {
                return rate;
            }
        }
        return MAX;
    }

    /**
     * Returns the rate of {@code multiple} times 2.5 Gbit/s ({@code mult_to_ibv_rate(3)}), {@link #MAX} if there is
     * none.
     */
    public static StaticRate ofMultiple(int multiple) {
        for (StaticRate rate : values()) {
            if (rate.multiple > 0 && rate.multiple == multiple) {
                return rate;
            }
        }
        return MAX;
    }
}
