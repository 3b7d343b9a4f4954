package org.panamaverbs.api.cm.outofband;

import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.AddressHandleConfig;
import org.panamaverbs.api.cm.RetryTimes;
import org.panamaverbs.api.config.Fields;
import org.panamaverbs.api.device.Gid;

/**
 * The attributes of an out-of-band connection that this side chooses, {@code struct ibv_qp_attr}; the others come from
 * the peer. Immutable; fields may be added.
 */
public final class OutOfBandConfig implements Cloneable {
    /**
     * Chooses the GID index: on Ethernet a RoCE v2 GID, preferably of an IPv4 address and rather not link-local; on
     * InfiniBand none, since the LID is enough there.
     */
    public static final int AUTO = -1;

    private static final int MOST_DEPTH = 255;
    private static final int RETRIES = 7;

    private static final Fields<OutOfBandConfig> FIELDS = new Fields<>(
            OutOfBandConfig.class,
            OutOfBandConfig::check,
            fields -> fields.and("route", config -> config.route)
                    .and("pkeyIndex", config -> config.pkeyIndex)
                    .and("pathMtuBytes", config -> config.pathMtuBytes)
                    .and("retryTimes", config -> config.retryTimes)
                    .and("retryCount", config -> config.retryCount)
                    .and("rnrRetryCount", config -> config.rnrRetryCount)
                    .and("responderResources", config -> config.responderResources)
                    .and("initiatorDepth", config -> config.initiatorDepth)
                    .and("qkey", config -> config.qkey));
    private static final OutOfBandConfig DEFAULT = FIELDS.made(new OutOfBandConfig());

    private AddressHandleConfig route =
            AddressHandleConfig.to(new Gid(0, 0)).withGidIndex(AUTO).withPort(0);
    private int pkeyIndex;
    private int pathMtuBytes;
    private RetryTimes retryTimes = RetryTimes.defaults();
    private int retryCount = RETRIES;
    private int rnrRetryCount = RETRIES;
    private int responderResources = 16;
    private int initiatorDepth = 16;
    private int qkey = 0x1111_1111;

    private OutOfBandConfig() {}

    /**
     * Returns the queue pair's port, the GID index that suits, 64 hops, the port's MTU, 7 retries of both kinds and
     * depths of 16.
     */
    public static OutOfBandConfig defaults() {
        return DEFAULT;
    }

    /**
     * Returns this side's port, 0 (the default) for the queue pair's, GID index, service level, flow label, hop limit,
     * traffic class and static rate, {@code ah_attr}. GID and LID of the destination come from the peer, whatever is
     * set here. The GID index may be {@link #AUTO}. Of RoCE's connected queue pairs Linux takes the hop limit from the
     * IP route, whatever is set here.
     */
    public AddressHandleConfig route() {
        return route;
    }

    /**
     * Returns a copy with what {@code change} makes of the {@link #route()}: traffic class, hop limit and so on.
     *
     * @throws IllegalArgumentException if a number of it is beyond its range
     */
    public OutOfBandConfig withRoute(UnaryOperator<AddressHandleConfig> change) {
        return with(copy -> copy.route = change.apply(route));
    }

    /**
     * Returns a copy that moves the queue pair to this port, as after a failure of its own; 0 for that which it was
     * created on, {@link org.panamaverbs.api.QueuePairConfig#port()}.
     *
     * @throws IllegalArgumentException if it is not 0 to 255
     */
    public OutOfBandConfig withPort(int port) {
        return withRoute(changed -> changed.withPort(port));
    }

    /**
     * Returns a copy that uses the GID at this index of the port's table; on InfiniBand a global route then.
     *
     * @throws IllegalArgumentException if it is not 0 to 255 or {@link #AUTO}
     */
    public OutOfBandConfig withGidIndex(int index) {
        return withRoute(changed -> changed.withGidIndex(index));
    }

    /** Returns the index of the partition key in the port's table, {@code pkey_index}: 0, the default, to 65535. */
    public int pkeyIndex() {
        return pkeyIndex;
    }

    /**
     * Returns a copy with the partition key at this index of the port's table.
     *
     * @throws IllegalArgumentException if it is beyond its range
     */
    public OutOfBandConfig withPkeyIndex(int index) {
        return with(copy -> copy.pkeyIndex = index);
    }

    /**
     * Returns the largest packet's payload, {@code path_mtu}: 256, 512, 1024, 2048 or 4096 bytes, at most the port's;
     * 0, the default, for the port's. The smaller one of both sides counts.
     */
    public int pathMtuBytes() {
        return pathMtuBytes;
    }

    /**
     * Returns a copy with this {@link #pathMtuBytes()}.
     *
     * @throws IllegalArgumentException if there is no such MTU
     */
    public OutOfBandConfig withPathMtu(int bytes) {
        return with(copy -> copy.pathMtuBytes = bytes);
    }

    /**
     * Returns how long is waited before something is sent again, {@code timeout} and {@code min_rnr_timer}; unset, the
     * default, are 67 ms and 0.64 ms, as perftest has them.
     */
    public RetryTimes retryTimes() {
        return retryTimes;
    }

    /** Returns a copy with other times before something is sent again. */
    public OutOfBandConfig withRetryTimes(RetryTimes times) {
        return with(copy -> copy.retryTimes = times);
    }

    /** Returns how often is sent again without an acknowledgement, {@code retry_cnt}: 0 to 7, 7 by default. */
    public int retryCount() {
        return retryCount;
    }

    /**
     * Returns how often is sent again to a peer without a receive, {@code rnr_retry}: 0 to 7, 7 (the default) for ever.
     */
    public int rnrRetryCount() {
        return rnrRetryCount;
    }

    /**
     * Returns a copy with retry counts, each 0 to 7.
     *
     * @throws IllegalArgumentException if one is beyond its range
     */
    public OutOfBandConfig withRetries(int retry, int rnrRetry) {
        return with(copy -> {
            copy.retryCount = retry;
            copy.rnrRetryCount = rnrRetry;
        });
    }

    /**
     * Returns the Reads and Atomics that the peer may have outstanding here (IRD), {@code max_dest_rd_atomic}: 0 to
     * 255, 16 by default.
     */
    public int responderResources() {
        return responderResources;
    }

    /**
     * Returns the Reads and Atomics outstanding from here (ORD), {@code max_rd_atomic}: 0 to 255, at most what the peer
     * takes; 16 by default.
     */
    public int initiatorDepth() {
        return initiatorDepth;
    }

    /**
     * Returns a copy with other depths: {@code responder} (IRD) and {@code initiator} (ORD).
     *
     * @throws IllegalArgumentException if one is beyond its range
     */
    public OutOfBandConfig withDepths(int responder, int initiator) {
        return with(copy -> {
            copy.responderResources = responder;
            copy.initiatorDepth = initiator;
        });
    }

    /** Returns the key that datagrams to here need (UD), {@code qkey}: 32 bits without sign, 0x11111111 by default. */
    public int qkey() {
        return qkey;
    }

    /** Returns a copy with this {@link #qkey()}. */
    public OutOfBandConfig withQkey(int key) {
        return with(copy -> copy.qkey = key);
    }

    private OutOfBandConfig with(Consumer<OutOfBandConfig> change) {
        return FIELDS.changed(super::clone, change);
    }

    private void check() {
        check("port", route.port(), 0, 0xFF);
        check("gidIndex", route.gidIndex(), AUTO, 0xFF);
        check("serviceLevel", route.serviceLevel(), 0, 15);
        check("flowLabel", route.flowLabel(), 0, 0xF_FFFF);
        check("hopLimit", route.hopLimit(), 0, 0xFF);
        check("trafficClass", route.trafficClass(), 0, 0xFF);
        check("staticRate", route.staticRate(), 0, 0xFF);
        check("pkeyIndex", pkeyIndex, 0, 0xFFFF);
        check("retryCount", retryCount, 0, RETRIES);
        check("rnrRetryCount", rnrRetryCount, 0, RETRIES);
        check("responderResources", responderResources, 0, MOST_DEPTH);
        check("initiatorDepth", initiatorDepth, 0, MOST_DEPTH);
        if (pathMtuBytes != 0 && !PathMtu.exists(pathMtuBytes)) {
            throw new IllegalArgumentException(
                    "pathMtuBytes must be " + PathMtu.ALL + ", or 0 for the port's, got " + pathMtuBytes);
        }
    }

    private static void check(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(what + " must be " + least + " to " + most + ", got " + value);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return FIELDS.equal(this, other);
    }

    @Override
    public int hashCode() {
        return FIELDS.hash(this);
    }

    @Override
    public String toString() {
        return FIELDS.toString(this);
    }
}
