package org.panamaverbs.api.outofband;

import java.util.function.UnaryOperator;
import org.panamaverbs.api.AddressHandleConfig;
import org.panamaverbs.api.Gid;
import org.panamaverbs.api.RetryTimes;

/**
 * All that a queue pair is told when it is connected out of band, {@code struct ibv_qp_attr}, but for what is the
 * peer's.
 *
 * @param route this side's port, GID index, service level, flow label, hop limit, traffic class and static rate. GID
 *     and LID of the destination come from the peer, whatever is set here. The GID index may be {@link #AUTO}. Of
 *     RoCE's connected queue pairs Linux takes the hop limit from the IP route, whatever is set here
 * @param pkeyIndex the index of the partition key in the port's table, 0 to 65535
 * @param pathMtuBytes the largest packet's payload, 256, 512, 1024, 2048 or 4096 bytes, at most the port's; 0 for the
 *     port's. The smaller one of both sides counts
 * @param retryTimes how long is waited before something is sent again; unset are 67 ms and 0.64 ms, as perftest has
 *     them
 * @param retryCount how often is sent again without an acknowledgement, 0 to 7
 * @param rnrRetryCount how often is sent again to a peer without a receive, 0 to 7, 7 for ever
 * @param responderResources Reads and Atomics that the peer may have outstanding here (IRD)
 * @param initiatorDepth Reads and Atomics outstanding from here (ORD), at most what the peer takes
 * @param qkey the key that datagrams to here need (UD), 32 bits without sign
 */
public record OutOfBandConfig(
        AddressHandleConfig route,
        int pkeyIndex,
        int pathMtuBytes,
        RetryTimes retryTimes,
        int retryCount,
        int rnrRetryCount,
        int responderResources,
        int initiatorDepth,
        int qkey) {
    /**
     * Stands for the GID index that suits: on Ethernet that of a GID of RoCE v2, an IPv4 address before others and
     * link-local addresses last; on InfiniBand none, since the LID leads there.
     */
    public static final int AUTO = -1;

    private static final int DEPTH = 16;
    private static final int MOST_DEPTH = 255;
    private static final int RETRIES = 7;
    private static final int KEY = 0x1111_1111;

    private static final OutOfBandConfig DEFAULT = new OutOfBandConfig(
            AddressHandleConfig.to(new Gid(0, 0)).withGidIndex(AUTO),
            0,
            0,
            RetryTimes.defaults(),
            RETRIES,
            RETRIES,
            DEPTH,
            DEPTH,
            KEY);

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a number is beyond its range
     */
    public OutOfBandConfig {
        check("port", route.port(), 1, 0xFF);
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

    /** Returns port 1, the GID index that suits, 64 hops, the port's MTU, 7 retries of both kinds and depths of 16. */
    public static OutOfBandConfig defaults() {
        return DEFAULT;
    }

    /** Returns a copy with what {@code change} makes of the {@link #route()}: traffic class, hop limit and so on. */
    public OutOfBandConfig withRoute(UnaryOperator<AddressHandleConfig> change) {
        return new OutOfBandConfig(
                change.apply(route),
                pkeyIndex,
                pathMtuBytes,
                retryTimes,
                retryCount,
                rnrRetryCount,
                responderResources,
                initiatorDepth,
                qkey);
    }

    /** Returns a copy that uses this port, from 1. */
    public OutOfBandConfig withPort(int port) {
        return withRoute(changed -> changed.withPort(port));
    }

    /** Returns a copy that uses the GID at this index of the port's table; on InfiniBand a global route then. */
    public OutOfBandConfig withGidIndex(int index) {
        return withRoute(changed -> changed.withGidIndex(index));
    }

    /** Returns a copy with the partition key at this index of the port's table. */
    public OutOfBandConfig withPkeyIndex(int index) {
        return new OutOfBandConfig(
                route,
                index,
                pathMtuBytes,
                retryTimes,
                retryCount,
                rnrRetryCount,
                responderResources,
                initiatorDepth,
                qkey);
    }

    /** Returns a copy with this {@link #pathMtuBytes()}. */
    public OutOfBandConfig withPathMtu(int bytes) {
        return new OutOfBandConfig(
                route,
                pkeyIndex,
                bytes,
                retryTimes,
                retryCount,
                rnrRetryCount,
                responderResources,
                initiatorDepth,
                qkey);
    }

    /** Returns a copy with other times before something is sent again. */
    public OutOfBandConfig withRetryTimes(RetryTimes times) {
        return new OutOfBandConfig(
                route,
                pkeyIndex,
                pathMtuBytes,
                times,
                retryCount,
                rnrRetryCount,
                responderResources,
                initiatorDepth,
                qkey);
    }

    /** Returns a copy with retry counts, each 0 to 7. */
    public OutOfBandConfig withRetries(int retry, int rnrRetry) {
        return new OutOfBandConfig(
                route, pkeyIndex, pathMtuBytes, retryTimes, retry, rnrRetry, responderResources, initiatorDepth, qkey);
    }

    /** Returns a copy with other depths: {@code responder} (IRD) and {@code initiator} (ORD). */
    public OutOfBandConfig withDepths(int responder, int initiator) {
        return new OutOfBandConfig(
                route, pkeyIndex, pathMtuBytes, retryTimes, retryCount, rnrRetryCount, responder, initiator, qkey);
    }

    /** Returns a copy with this {@link #qkey()}. */
    public OutOfBandConfig withQkey(int key) {
        return new OutOfBandConfig(
                route,
                pkeyIndex,
                pathMtuBytes,
                retryTimes,
                retryCount,
                rnrRetryCount,
                responderResources,
                initiatorDepth,
                key);
    }

    private static void check(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(what + " must be " + least + " to " + most + ", got " + value);
        }
    }
}
