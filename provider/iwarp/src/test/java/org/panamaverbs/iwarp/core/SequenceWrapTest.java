package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.testkit.Requirement;

/** MSNs at the end of their range, where two streams are put by hand: getting there takes 2^32 messages. */
class SequenceWrapTest {
    private static final int MESSAGES = 6;
    private static final int BEFORE_THE_END = -3;

    private final Pair pair = new Pair().start();

    // RFC 5041 §4.3: from 0xFFFFFFFF an MSN goes on to 0.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Requirement({"DDP-4.3-05", "DDP-4.3-07"})
    void everyQueueGoesOnBehindTheHighestMsn(boolean readsFirst) throws ReflectiveOperationException {
        set(BEFORE_THE_END, pair.a.stream, "transmitter", "requests", "sendMsn");
        set(BEFORE_THE_END, pair.a.stream, "transmitter", "requests", "peerRequests", "msn");
        set(BEFORE_THE_END, pair.b.stream, "transmitter", "responses", "atomicResponseMsn");
        set(BEFORE_THE_END, pair.b.stream, "parts", "receiver", "sendMsn");
        set(BEFORE_THE_END, pair.b.stream, "parts", "receiver", "requestMsn");
        set(BEFORE_THE_END, pair.a.stream, "parts", "receiver", "atomicResponseMsn");
        Guarded local = pair.a.memory(64 * MESSAGES).pattern(1);
        Guarded inbox = pair.b.memory(64 * MESSAGES);
        Guarded cell = pair.b.memory(8);
        pair.b.receives(MESSAGES, 1, inbox, 64);
        for (int i = 0; i < MESSAGES; i++) {
            pair.a.send(i, local, 64L * i, 40);
            // Reads take their MSNs of the same queue as Atomics, and either may have the last one.
            if (readsFirst) {
                pair.a.read(200 + i, local, 64L * i + 56, 8, cell, 0);
            }
            pair.a.fetchAdd(100 + i, local, 64L * i + 48, cell, 0, 1);
            if (!readsFirst) {
                pair.a.read(200 + i, local, 64L * i + 56, 8, cell, 0);
            }
        }
        pair.toB.stallAt = pair.toB.readOctets();
        pair.settle();
        List<Integer> ofSends = new ArrayList<>();
        List<Integer> ofRequests = new ArrayList<>();
        byte[] octets = pair.toB.drain();
        for (Segments.Parsed segment : new Wiretap().take(octets)) {
            (segment.opcode() == Segments.SEND ? ofSends : ofRequests).add(segment.msn());
        }
        assertThat(ofSends).containsExactly(-3, -2, -1, 0, 1, 2);
        assertThat(ofRequests).containsExactly(-3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8);

        pair.toB.stallAt = Pipe.NEVER;
        pair.toB.write(octets);
        pair.settle();
        assertThat(pair.b.receives.list).hasSize(MESSAGES).allMatch(Wc::ok);
        assertThat(pair.a.sends.list).hasSize(3 * MESSAGES).allMatch(Wc::ok);
        assertThat(cell.getLong(0)).isEqualTo(MESSAGES);
        pair.disconnect();
    }

    private static void set(int value, Object stream, String... path) throws ReflectiveOperationException {
        Object owner = stream;
        for (int i = 0; i < path.length - 1; i++) {
            owner = field(owner, path[i]).get(owner);
        }
        field(owner, path[path.length - 1]).setInt(owner, value);
    }

    private static Field field(Object owner, String name) throws ReflectiveOperationException {
        Field field = owner.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }
}
