package org.panamaverbs.iwarp.core;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.iwarp.core.SimInbox.Message;
import org.panamaverbs.iwarp.core.SimRequests.Request;
import org.panamaverbs.iwarp.wire.TerminateCode;

/** What one side may not ask of the other, with what the other has to answer. */
enum SimCrime {
    WRITE_BEYOND_THE_END(TerminateCode.TAGGED_BOUNDS),
    WRITE_BEFORE_THE_START(TerminateCode.TAGGED_BOUNDS),
    WRITE_OF_AN_UNKNOWN_STAG(TerminateCode.TAGGED_INVALID_STAG),
    WRITE_OF_AN_OLD_KEY(TerminateCode.TAGGED_INVALID_STAG),
    WRITE_WHERE_ONLY_READS_MAY(TerminateCode.TAGGED_INVALID_STAG),
    WRITE_OVER_THE_END_OF_THE_NUMBERS(TerminateCode.TAGGED_TO_WRAP),
    READ_BEYOND_THE_END(TerminateCode.BOUNDS),
    READ_OF_AN_UNKNOWN_STAG(TerminateCode.INVALID_STAG),
    READ_OF_AN_INBOX(TerminateCode.ACCESS_RIGHTS),
    ATOMIC_OFF_ALIGNMENT(TerminateCode.STREAM_CATASTROPHIC),
    ATOMIC_WHERE_NONE_MAY(TerminateCode.ACCESS_RIGHTS),
    SEND_TOO_LONG(TerminateCode.UNTAGGED_TOO_LONG),
    SEND_WITHOUT_A_RECEIVE(TerminateCode.UNTAGGED_NO_BUFFER),
    INVALIDATION_OF_A_REGISTRATION(TerminateCode.PROTECTION_CANNOT_INVALIDATE);

    private static final SimCrime[] ALL = values();

    @SuppressWarnings("ImmutableEnumChecker") // a code does not change; the annotation would be a dependency
    private final TerminateCode code;

    SimCrime(TerminateCode code) {
        this.code = code;
    }

    static SimCrime any(SplittableRandom random) {
        return ALL[random.nextInt(ALL.length)];
    }

    /** What the victim finds. */
    TerminateCode code() {
        return code;
    }

    boolean asksForResponse() {
        return switch (this) {
            case READ_BEYOND_THE_END,
                    READ_OF_AN_UNKNOWN_STAG,
                    READ_OF_AN_INBOX,
                    ATOMIC_OFF_ALIGNMENT,
                    ATOMIC_WHERE_NONE_MAY -> true;
            default -> false;
        };
    }

    /** Commits the crime; null if it is not possible now. */
    @Nullable
    Request commit(SimFlow flow) {
        SimMemory memory = flow.memory;
        SimZone remote = memory.remote;
        SplittableRandom random = flow.random;
        int length = 1 + random.nextInt(3000);
        return switch (this) {
            case WRITE_BEYOND_THE_END -> {
                int beyond = 1 + random.nextInt(length);
                int to = remote.size() - length + beyond;
                yield write(flow, remote, to, length, remote.stag(), length - beyond);
            }
            case WRITE_BEFORE_THE_START -> write(flow, remote, -1, length, remote.stag(), 0);
            case WRITE_OF_AN_UNKNOWN_STAG -> write(flow, remote, 0, length, remote.stag() ^ (1 << 20), 0);
            case WRITE_OF_AN_OLD_KEY -> write(flow, remote, 0, length, remote.stag() ^ 1, 0);
            case WRITE_WHERE_ONLY_READS_MAY -> write(flow, memory.fixed, 0, length, memory.fixed.stag(), 0);
            case WRITE_OVER_THE_END_OF_THE_NUMBERS ->
                write(flow, remote, (int) -remote.memory.base - 1, 100, remote.stag(), 0);
            case READ_BEYOND_THE_END ->
                flow.postRead(remote, remote.size() - length + 1, length, remote.stag(), SendFlag.SIGNALED);
            case READ_OF_AN_UNKNOWN_STAG ->
                flow.postRead(remote, 0, length, remote.stag() ^ (1 << 20), SendFlag.SIGNALED);
            case READ_OF_AN_INBOX -> flow.postRead(memory.inbox, 0, length, memory.inbox.stag(), SendFlag.SIGNALED);
            case ATOMIC_OFF_ALIGNMENT -> atomic(flow, memory.cells, 1 + random.nextInt(7));
            case ATOMIC_WHERE_NONE_MAY -> atomic(flow, remote, 8);
            case SEND_TOO_LONG -> sendTooLong(flow);
            case SEND_WITHOUT_A_RECEIVE -> sendWithoutReceive(flow);
            case INVALIDATION_OF_A_REGISTRATION -> invalidate(flow);
        };
    }

    private @Nullable Request write(SimFlow flow, SimZone zone, int to, int length, int stag, int within) {
        int from = flow.take(length);
        if (from < 0) {
            return null;
        }
        long target = this == WRITE_OVER_THE_END_OF_THE_NUMBERS ? -50 : zone.address(to);
        byte[] octets = flow.memory.source.latest(from, length);
        Request request = flow.post(
                SendOpcode.RDMA_WRITE, WcOpcode.RDMA_WRITE, name(), from, length, target, stag, SendFlag.SIGNALED, 0);
        if (request != null && within > 0) {
            // Segments before the one that goes too far may have been placed.
            flow.changes(request, zone, to, false, Arrays.copyOf(octets, within));
        }
        return request;
    }

    private @Nullable Request atomic(SimFlow flow, SimZone zone, int at) {
        int status = flow.here
                .stream
                .sends()
                .postAtomic(
                        SendOpcode.FETCH_ADD,
                        flow.requests.count(),
                        flow.memory.sink.address(0),
                        flow.memory.sink.stag(),
                        zone.address(at),
                        zone.stag(),
                        1,
                        0,
                        0,
                        0,
                        SendFlag.SIGNALED);
        return flow.requests.accepted(status) ? flow.add(WcOpcode.FETCH_ADD, name(), 8, SendFlag.SIGNALED, true) : null;
    }

    private @Nullable Request sendWithoutReceive(SimFlow flow) {
        int from = flow.inbox.room() < 0 ? flow.take(8) : -1;
        Request request = from < 0
                ? null
                : flow.post(SendOpcode.SEND, WcOpcode.SEND, name(), from, 8, 0, 0, SendFlag.SIGNALED, 0);
        if (request != null) {
            flow.inbox.shut();
        }
        return request;
    }

    private @Nullable Request sendTooLong(SimFlow flow) {
        int room = flow.inbox.room();
        int length = room + 1 + flow.random.nextInt(1000);
        int from = room < 0 ? -1 : flow.take(length);
        if (from < 0) {
            return null;
        }
        byte[] octets = flow.memory.source.latest(from, length);
        Request request = flow.post(SendOpcode.SEND, WcOpcode.SEND, name(), from, length, 0, 0, SendFlag.SIGNALED, 0);
        if (request != null) {
            // No completion will ever agree with this one.
            flow.inbox.expect(new Message(request, WcOpcode.RECV, -1, false, false, 0), octets);
        }
        return request;
    }

    private @Nullable Request invalidate(SimFlow flow) {
        if (flow.inbox.room() < 0) {
            return null;
        }
        long stag = Integer.toUnsignedLong(flow.memory.remote.stag());
        Request request =
                flow.post(SendOpcode.SEND_WITH_INVALIDATE, WcOpcode.SEND, name(), 0, 0, 0, 0, SendFlag.SIGNALED, stag);
        if (request != null) {
            flow.inbox.expect(new Message(request, WcOpcode.RECV, -1, false, false, 0));
        }
        return request;
    }
}
