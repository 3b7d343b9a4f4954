package org.panamaverbs.api;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.cm.RetryTimes;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.ext.AlternatePath;

/**
 * Attributes of a queue pair to be set or as queried, {@code struct ibv_qp_attr} with its mask: only attributes that
 * were set count. Mutable, not thread-safe.
 */
public final class QueuePairAttributes {
    /** The numeric attributes, {@code enum ibv_qp_attr_mask}. */
    public enum Field {
        /** {@code IBV_QP_ACCESS_FLAGS}: the rights of peers, a mask of {@code Access}. */
        ACCESS,
        /** {@code IBV_QP_PKEY_INDEX}: the P_Key index. */
        PKEY_INDEX,
        /** {@code IBV_QP_PORT}: the port, from 1. */
        PORT,
        /** {@code IBV_QP_QKEY}: the Q_Key. */
        QKEY,
        /** {@code IBV_QP_PATH_MTU}: 256 to 4096 bytes. */
        PATH_MTU,
        /** {@code IBV_QP_TIMEOUT}: 4.096 us times 2 to this power; 0 for never. */
        TIMEOUT,
        /** {@code IBV_QP_RETRY_CNT}: 0 to 7. */
        RETRY_COUNT,
        /** {@code IBV_QP_RNR_RETRY}: 0 to 7; 7 for no limit. */
        RNR_RETRY,
        /** {@code IBV_QP_MIN_RNR_TIMER}: the code of the delay, 0 to 31; see {@link RetryTimes#rnrWait}. */
        MIN_RNR_TIMER,
        /** {@code IBV_QP_RQ_PSN}: 24 bits. */
        RQ_PSN,
        /** {@code IBV_QP_SQ_PSN}: 24 bits. */
        SQ_PSN,
        /** {@code IBV_QP_MAX_QP_RD_ATOMIC}: outstanding Reads and atomics as requester (ORD). */
        MAX_RD_ATOMIC,
        /** {@code IBV_QP_MAX_DEST_RD_ATOMIC}: outstanding Reads and atomics as responder (IRD). */
        MAX_DEST_RD_ATOMIC,
        /** {@code IBV_QP_DEST_QPN}: the peer's queue pair number, 24 bits. */
        DEST_QPN,
        /**
         * {@code IBV_QP_PATH_MIG_STATE}: 0 for migrated (setting it migrates), 1 for rearm, 2 for armed. Needs
         * {@link Capabilities.Feature#PATH_MIGRATION}.
         */
        PATH_MIG_STATE,
        /**
         * {@code IBV_QP_EN_SQD_ASYNC_NOTIFY}: 1 to raise {@link AsyncEvent.Type#SQ_DRAINED} once the sends are done
         * that were outstanding on entering {@link QueuePairState#SQD}; 0 for no event. Set it in the transition from
         * RTS to SQD.
         */
        EN_SQD_ASYNC_NOTIFY
    }

    private final Map<Field, Long> values = new EnumMap<>(Field.class);
    private @Nullable QueuePairState state;
    private @Nullable QueuePairState currentState;
    private @Nullable AddressHandleConfig address;
    private @Nullable AlternatePath alternatePath;
    private boolean draining;

    /** Creates an empty set. */
    public QueuePairAttributes() {}

    /** Returns a set that only changes the state. */
    public static QueuePairAttributes to(QueuePairState state) {
        return new QueuePairAttributes().state(state);
    }

    /** Sets the state ({@code IBV_QP_STATE}) and returns the set. */
    public QueuePairAttributes state(QueuePairState newState) {
        state = newState;
        return this;
    }

    /**
     * Sets the assumed current state ({@code IBV_QP_CUR_STATE}) and returns the set: for transitions to RTS, if the
     * device has moved to SQE and the driver may not know it. {@link QueuePair#query} does not set it.
     */
    public QueuePairAttributes currentState(QueuePairState current) {
        currentState = current;
        return this;
    }

    /** Sets the path ({@code IBV_QP_AV}) and returns the set. */
    public QueuePairAttributes address(AddressHandleConfig newAddress) {
        address = newAddress;
        return this;
    }

    /** Sets the alternate path ({@code IBV_QP_ALT_PATH}) and returns the set. */
    public QueuePairAttributes alternatePath(AlternatePath newPath) {
        alternatePath = newPath;
        return this;
    }

    /**
     * Sets whether a queue pair in {@link QueuePairState#SQD} still processes sends ({@code sq_draining}) and returns
     * the set. For queries only: {@link QueuePair#modify} ignores it.
     */
    public QueuePairAttributes draining(boolean whether) {
        draining = whether;
        return this;
    }

    /** Returns whether the queue pair still processed sends in {@link QueuePairState#SQD}. */
    public boolean isDraining() {
        return draining;
    }

    /** Sets {@code field} and returns the set. */
    public QueuePairAttributes set(Field field, long value) {
        values.put(field, value);
        return this;
    }

    /** Returns the state if it is set. */
    public Optional<QueuePairState> state() {
        return Optional.ofNullable(state);
    }

    /** Returns the assumed current state, if it is set. */
    public Optional<QueuePairState> currentState() {
        return Optional.ofNullable(currentState);
    }

    /** Returns the path if it is set. */
    public Optional<AddressHandleConfig> address() {
        return Optional.ofNullable(address);
    }

    /** Returns the alternate path, if it is set. */
    public Optional<AlternatePath> alternatePath() {
        return Optional.ofNullable(alternatePath);
    }

    /** Returns {@code field} if it is set. */
    public OptionalLong get(Field field) {
        Long value = values.get(field);
        return value == null ? OptionalLong.empty() : OptionalLong.of(value);
    }

    /** Returns the rights of peers, if set: {@link Field#ACCESS}. */
    public OptionalInt access() {
        return number(Field.ACCESS);
    }

    /** Returns the P_Key index, if set: {@link Field#PKEY_INDEX}. */
    public OptionalInt pkeyIndex() {
        return number(Field.PKEY_INDEX);
    }

    /** Returns the port, from 1, if set: {@link Field#PORT}. */
    public OptionalInt port() {
        return number(Field.PORT);
    }

    /** Returns the Q_Key, 32 bits unsigned, if set: {@link Field#QKEY}. */
    public OptionalInt qkey() {
        return number(Field.QKEY);
    }

    /** Returns the path MTU, 256 to 4096 bytes, if set: {@link Field#PATH_MTU}. */
    public OptionalInt pathMtu() {
        return number(Field.PATH_MTU);
    }

    /** Returns the code of the retransmission timeout, if set: {@link Field#TIMEOUT}. */
    public OptionalInt timeout() {
        return number(Field.TIMEOUT);
    }

    /** Returns the number of retransmissions, 0 to 7, if set: {@link Field#RETRY_COUNT}. */
    public OptionalInt retryCount() {
        return number(Field.RETRY_COUNT);
    }

    /** Returns the number of receiver-not-ready retries, 0 to 7, 7 for no limit, if set: {@link Field#RNR_RETRY}. */
    public OptionalInt rnrRetry() {
        return number(Field.RNR_RETRY);
    }

    /**
     * Returns the code of the delay requested from peers if there is no receive, if set: {@link Field#MIN_RNR_TIMER}.
     */
    public OptionalInt minRnrTimer() {
        return number(Field.MIN_RNR_TIMER);
    }

    /** Returns the first packet number to receive, 24 bits, if set: {@link Field#RQ_PSN}. */
    public OptionalInt rqPsn() {
        return number(Field.RQ_PSN);
    }

    /** Returns the first packet number to send, 24 bits, if set: {@link Field#SQ_PSN}. */
    public OptionalInt sqPsn() {
        return number(Field.SQ_PSN);
    }

    /** Returns the outstanding Reads and atomics as requester (ORD), if set: {@link Field#MAX_RD_ATOMIC}. */
    public OptionalInt maxRdAtomic() {
        return number(Field.MAX_RD_ATOMIC);
    }

    /** Returns the outstanding Reads and atomics as responder (IRD), if set: {@link Field#MAX_DEST_RD_ATOMIC}. */
    public OptionalInt maxDestRdAtomic() {
        return number(Field.MAX_DEST_RD_ATOMIC);
    }

    /** Returns the peer's queue pair number, 24 bits, if set: {@link Field#DEST_QPN}. */
    public OptionalInt destQpNumber() {
        return number(Field.DEST_QPN);
    }

    /**
     * Returns 1 if an event is requested when the sends are done, else 0, if set: {@link Field#EN_SQD_ASYNC_NOTIFY}.
     */
    public OptionalInt enSqdAsyncNotify() {
        return number(Field.EN_SQD_ASYNC_NOTIFY);
    }

    /** Returns {@code field} in 32 bits. */
    private OptionalInt number(Field field) {
        Long value = values.get(field);
        return value == null ? OptionalInt.empty() : OptionalInt.of((int) (long) value);
    }

    @Override
    public String toString() {
        return "state " + state + ", path " + address + ", alternate " + alternatePath + ", " + values;
    }
}
