package org.panamaverbs.testkit.conformance.order;

import java.util.ArrayList;
import java.util.List;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Posts;

/** The operations that RFC 5040 appendix B and RFC 7306 section 7 order, each on a stretch of the peer's buffer. */
enum OrderedOperation {
    /** A Send; its receive is the stretch. */
    SEND,
    /** An RDMA Write to the stretch. */
    WRITE,
    /** An RDMA Read of the stretch. */
    READ,
    /** A FetchAdd of 1 to the first 8 bytes of the stretch. */
    ATOMIC,
    /** Immediate Data; it does nothing to the stretch. */
    IMMEDIATE;

    /** Bytes of a stretch: some segments. */
    static final int BYTES = 4000;

    /** What the Immediate Data say. */
    static final long VALUE = 0x0102_0304L;

    /** Returns what a device needs for both. */
    static Feature[] features(OrderedOperation first, OrderedOperation second) {
        List<Feature> features = new ArrayList<>();
        for (OrderedOperation each : List.of(first, second)) {
            if (each == ATOMIC) {
                features.add(Feature.ATOMICS);
            } else if (each == IMMEDIATE) {
                features.add(Feature.STANDALONE_IMMEDIATE);
            }
        }
        return features.toArray(Feature[]::new);
    }

    /** Tells whether it takes a receive of the target. */
    boolean isDelivered() {
        return this == SEND || this == IMMEDIATE;
    }

    /** Tells whether the target answers it. */
    boolean isAnswered() {
        return this == READ || this == ATOMIC;
    }

    /** Tells whether it brings data to the stretch. */
    boolean isPlaced() {
        return this == SEND || this == WRITE;
    }

    /** Has B post the receive that it takes, if it takes one. */
    void expect(ConnectedPair pair, long wrId, long stretch) {
        if (isDelivered()) {
            Posts.accepted(pair.qpB().recv(wrId, pair.b().buffer(), stretch, this == SEND ? BYTES : 0));
        }
    }

    /** Has A post it: data from, or results to, {@code local} of A's buffer. */
    void post(ConnectedPair pair, long wrId, long local, long stretch, int flags) {
        Posts.accepted(
                switch (this) {
                    case SEND -> pair.qpA().send(wrId, pair.a().buffer(), local, BYTES, flags);
                    case WRITE ->
                        pair.qpA()
                                .write(
                                        wrId,
                                        pair.a().buffer(),
                                        local,
                                        BYTES,
                                        pair.b().remote(),
                                        stretch,
                                        flags);
                    case READ ->
                        pair.qpA()
                                .read(
                                        wrId,
                                        pair.a().buffer(),
                                        local,
                                        BYTES,
                                        pair.b().remote(),
                                        stretch,
                                        flags);
                    case ATOMIC ->
                        pair.qpA()
                                .fetchAdd(
                                        wrId, pair.a().buffer(), local, pair.b().remote(), stretch, 1, flags);
                    case IMMEDIATE -> pair.qpA().immediate(wrId, VALUE, flags);
                });
    }
}
