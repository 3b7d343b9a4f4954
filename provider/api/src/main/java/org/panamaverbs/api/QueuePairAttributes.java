package org.panamaverbs.api;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Attributes of a queue pair to be changed or as found, {@code struct ibv_qp_attr} with its mask: only what was set
 * counts. Mutable, not thread-safe.
 */
public final class QueuePairAttributes {
    /** The numeric attributes, with libibverbs' names in the texts; {@code enum ibv_qp_attr_mask}. */
    public enum Field {
        /** {@code IBV_QP_ACCESS_FLAGS}: the mask of {@code Access} that remote peers may have. */
        ACCESS,
        /** {@code IBV_QP_PKEY_INDEX}. */
        PKEY_INDEX,
        /** {@code IBV_QP_PORT}: the port, from 1. */
        PORT,
        /** {@code IBV_QP_QKEY}: the key of datagrams. */
        QKEY,
        /** {@code IBV_QP_PATH_MTU}: bytes, 256 to 4096. */
        PATH_MTU,
        /** {@code IBV_QP_TIMEOUT}: 4.096 us times 2 to this power; 0 for never. */
        TIMEOUT,
        /** {@code IBV_QP_RETRY_CNT}: 0 to 7. */
        RETRY_COUNT,
        /** {@code IBV_QP_RNR_RETRY}: 0 to 7, 7 for ever. */
        RNR_RETRY,
        /** {@code IBV_QP_MIN_RNR_TIMER}: the code of the delay. */
        MIN_RNR_TIMER,
        /** {@code IBV_QP_RQ_PSN}: 24 bits. */
        RQ_PSN,
        /** {@code IBV_QP_SQ_PSN}: 24 bits. */
        SQ_PSN,
        /** {@code IBV_QP_MAX_QP_RD_ATOMIC}: outstanding Reads and Atomics as initiator (ORD). */
        MAX_RD_ATOMIC,
        /** {@code IBV_QP_MAX_DEST_RD_ATOMIC}: outstanding Reads and Atomics as responder (IRD). */
        MAX_DEST_RD_ATOMIC,
        /** {@code IBV_QP_DEST_QPN}: the peer's number, 24 bits. */
        DEST_QPN,
        /**
         * {@code IBV_QP_PATH_MIG_STATE}: 0 for a path that has moved (setting it moves it), 1 for one that is to be
         * armed again, 2 for one that is armed; needs {@link Capabilities.Feature#PATH_MIGRATION}.
         */
        PATH_MIG_STATE,
        /**
         * {@code IBV_QP_EN_SQD_ASYNC_NOTIFY}: 1 to have {@link AsyncEvent.Type#SQ_DRAINED} raised once the sends are
         * done that were under way when the queue pair went to {@link QueuePairState#SQD}; 0 for no event. Set it in
         * the change of the state from RTS to SQD.
         */
        EN_SQD_ASYNC_NOTIFY
    }

    private final Map<Field, Long> values = new EnumMap<>(Field.class);
    private @Nullable QueuePairState state;
    private @Nullable QueuePairState currentState;
    private @Nullable AddressHandleConfig address;
    private @Nullable AlternatePath alternatePath;
    private boolean draining;

    /** Makes an empty set. */
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
     * Says which state the queue pair is taken to be in ({@code IBV_QP_CUR_STATE}) and returns the set: for changes to
     * RTS, where the device has left RTS for SQE and its driver may not have noticed. {@link QueuePair#query} does not
     * set it.
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

    /** Sets the path that takes the place of one that fails ({@code IBV_QP_ALT_PATH}) and returns the set. */
    public QueuePairAttributes alternatePath(AlternatePath newPath) {
        alternatePath = newPath;
        return this;
    }

    /**
     * Says whether a queue pair that is found in {@link QueuePairState#SQD} still works on sends ({@code sq_draining}),
     * and returns the set. Nothing that can be changed: {@link QueuePair#modify} does not look at it.
     */
    public QueuePairAttributes draining(boolean whether) {
        draining = whether;
        return this;
    }

    /** Returns whether the queue pair was found working on sends in {@link QueuePairState#SQD}. */
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

    /** Returns the state that the queue pair is taken to be in, if it is set. */
    public Optional<QueuePairState> currentState() {
        return Optional.ofNullable(currentState);
    }

    /** Returns the path if it is set. */
    public Optional<AddressHandleConfig> address() {
        return Optional.ofNullable(address);
    }

    /** Returns the path that takes the place of one that fails, if it is set. */
    public Optional<AlternatePath> alternatePath() {
        return Optional.ofNullable(alternatePath);
    }

    /** Returns {@code field} if it is set. */
    public OptionalLong get(Field field) {
        Long value = values.get(field);
        return value == null ? OptionalLong.empty() : OptionalLong.of(value);
    }

    /** Returns the mask of {@code Access} that remote peers may have, if it is set: {@link Field#ACCESS}. */
    public OptionalInt access() {
        return number(Field.ACCESS);
    }

    /** Returns the index of the partition key, if it is set: {@link Field#PKEY_INDEX}. */
    public OptionalInt pkeyIndex() {
        return number(Field.PKEY_INDEX);
    }

    /** Returns the port, from 1, if it is set: {@link Field#PORT}. */
    public OptionalInt port() {
        return number(Field.PORT);
    }

    /** Returns the key of datagrams, 32 bits without sign, if it is set: {@link Field#QKEY}. */
    public OptionalInt qkey() {
        return number(Field.QKEY);
    }

    /** Returns the bytes of a packet, 256 to 4096, if it is set: {@link Field#PATH_MTU}. */
    public OptionalInt pathMtu() {
        return number(Field.PATH_MTU);
    }

    /**
     * Returns the code of the time after which is sent again: 4.096 us times 2 to this power, 0 for never, if it is
     * set: {@link Field#TIMEOUT}.
     */
    public OptionalInt timeout() {
        return number(Field.TIMEOUT);
    }

    /** Returns how often is sent again, 0 to 7, if it is set: {@link Field#RETRY_COUNT}. */
    public OptionalInt retryCount() {
        return number(Field.RETRY_COUNT);
    }

    /**
     * Returns how often is sent again to a peer without a receive, 0 to 7, 7 for ever, if it is set:
     * {@link Field#RNR_RETRY}.
     */
    public OptionalInt rnrRetry() {
        return number(Field.RNR_RETRY);
    }

    /**
     * Returns the code of the delay that a peer is asked for when there is no receive, if it is set:
     * {@link Field#MIN_RNR_TIMER}.
     */
    public OptionalInt minRnrTimer() {
        return number(Field.MIN_RNR_TIMER);
    }

    /** Returns the packet number that receiving starts with, 24 bits, if it is set: {@link Field#RQ_PSN}. */
    public OptionalInt rqPsn() {
        return number(Field.RQ_PSN);
    }

    /** Returns the packet number that sending starts with, 24 bits, if it is set: {@link Field#SQ_PSN}. */
    public OptionalInt sqPsn() {
        return number(Field.SQ_PSN);
    }

    /**
     * Returns how many Reads and Atomics may be outstanding as initiator (ORD), if it is set:
     * {@link Field#MAX_RD_ATOMIC}.
     */
    public OptionalInt maxRdAtomic() {
        return number(Field.MAX_RD_ATOMIC);
    }

    /**
     * Returns how many Reads and Atomics may be outstanding as responder (IRD), if it is set:
     * {@link Field#MAX_DEST_RD_ATOMIC}.
     */
    public OptionalInt maxDestRdAtomic() {
        return number(Field.MAX_DEST_RD_ATOMIC);
    }

    /** Returns the number of the peer's queue pair, 24 bits, if it is set: {@link Field#DEST_QPN}. */
    public OptionalInt destQpNumber() {
        return number(Field.DEST_QPN);
    }

    /** Returns 1 if an event is asked for when the sends are done, else 0: {@link Field#EN_SQD_ASYNC_NOTIFY}. */
    public OptionalInt enSqdAsyncNotify() {
        return number(Field.EN_SQD_ASYNC_NOTIFY);
    }

    /** Returns {@code field} in the 32 bits that each has. */
    private OptionalInt number(Field field) {
        Long value = values.get(field);
        return value == null ? OptionalInt.empty() : OptionalInt.of((int) (long) value);
    }

    @Override
    public String toString() {
        return "state " + state + ", path " + address + ", alternate " + alternatePath + ", " + values;
    }
}
