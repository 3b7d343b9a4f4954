package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.WcOpcode;

/**
 * One side of a simulation: posts random operations and keeps a model of what they must do. Only it changes what its
 * model covers, so the outcome does not depend on how the two directions interleave.
 */
final class Actor {
    private static final int BYTES = 16_384;
    private static final int RECEIVES = 200;
    private static final int RECEIVE_BYTES = 6_000;
    private static final int CELLS = 8;

    private final SplittableRandom random;
    private final Side here;
    private final Side there;
    private final Guarded source;
    private final Guarded sink;
    private final Guarded results;
    private final Guarded remoteSource;
    private final Guarded remote;
    private final Guarded cells;
    private final Guarded inbox;
    private final byte[] remoteModel = new byte[BYTES];
    private final byte[] sinkModel = new byte[BYTES];
    private final long[] cellModel = new long[CELLS];
    private final List<Long> resultModel = new ArrayList<>();
    private final List<Message> messages = new ArrayList<>();
    private final List<Posted> posted = new ArrayList<>();
    private int sinkUsed;
    private boolean readsOfRemote;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Message(byte[] octets, boolean immediate, long value, boolean solicited) {}

    private record Posted(long wrId, boolean signaled, WcOpcode opcode, long bytes) {}

    Actor(SplittableRandom random, Side here, Side there) {
        this.random = random;
        this.here = here;
        this.there = there;
        source = here.memory(BYTES).pattern(here.qpNumber);
        sink = here.memory(BYTES);
        results = here.memory(8 * 512);
        remoteSource = there.memory(BYTES).pattern(here.qpNumber + 7);
        remote = there.memory(BYTES);
        cells = there.memory(8 * CELLS);
        inbox = there.memory(RECEIVES * RECEIVE_BYTES);
    }

    void postReceives() {
        there.receives(RECEIVES, 0, inbox, RECEIVE_BYTES);
    }

    private int size() {
        return switch (random.nextInt(5)) {
            case 0 -> 0;
            case 1 -> random.nextInt(16);
            case 2, 3 -> random.nextInt(600);
            default -> random.nextInt(RECEIVE_BYTES);
        };
    }

    /** Posts one operation at random. */
    void act() {
        switch (random.nextInt(8)) {
            case 0, 1 -> send();
            case 2 -> write(false);
            case 3 -> write(true);
            case 4 -> read(remoteSource, remoteSource.bytes(), false);
            case 5 -> read(remote, remoteModel, true);
            case 6 -> atomic();
            default -> immediate();
        }
    }

    private int flags() {
        boolean fence = random.nextInt(6) == 0;
        return (random.nextInt(3) == 0 ? 0 : SendFlag.SIGNALED) | (fence ? SendFlag.FENCE : 0);
    }

    /** What changes memory that a Read may still be answered from has to wait for it (RFC 5040 §5.5). */
    private int modifyingFlags() {
        int flags = readsOfRemote ? flags() | SendFlag.FENCE : flags();
        readsOfRemote = false;
        return flags;
    }

    private void record(int status, int flags, WcOpcode opcode, long bytes) {
        assertThat(status).isEqualTo(PostStatus.ACCEPTED);
        posted.add(new Posted(posted.size(), (flags & SendFlag.SIGNALED) != 0, opcode, bytes));
    }

    private void send() {
        if (messages.size() == RECEIVES) {
            return;
        }
        int length = size();
        int from = random.nextInt(BYTES - length + 1);
        int flags = flags();
        boolean solicited = random.nextBoolean();
        int all = flags | (solicited ? SendFlag.SOLICITED : 0);
        int status;
        if (length <= 256 && random.nextBoolean()) {
            status = here.stream
                    .sends()
                    .postInline(SendOpcode.SEND, posted.size(), source.memory, from, length, 0, 0, 0, all);
        } else if (random.nextBoolean()) {
            int cut = random.nextInt(length + 1);
            SgList list = SgList.ofCapacity(2)
                    .add(source.base + from, cut, source.stag())
                    .add(source.base + from + cut, length - cut, source.stag());
            status = here.stream.sends().post(SendOpcode.SEND, posted.size(), list, 0, 0, 0, all);
        } else {
            status = here.stream
                    .sends()
                    .post(SendOpcode.SEND, posted.size(), source.base + from, length, source.stag(), 0, 0, 0, all);
        }
        record(status, flags, WcOpcode.SEND, length);
        messages.add(new Message(source.bytes(from, length), false, 0, solicited));
    }

    private void immediate() {
        if (messages.size() == RECEIVES) {
            return;
        }
        long value = random.nextLong();
        int flags = flags();
        int status = here.stream.sends().post(SendOpcode.IMMEDIATE, posted.size(), 0, 0, 0, 0, 0, value, flags);
        record(status, flags, WcOpcode.IMMEDIATE, 8);
        messages.add(new Message(new byte[0], true, value, false));
    }

    private void write(boolean withImmediate) {
        if (withImmediate && messages.size() == RECEIVES) {
            return;
        }
        int length = size();
        int from = random.nextInt(BYTES - length + 1);
        int to = random.nextInt(BYTES - length + 1);
        int flags = modifyingFlags();
        long value = withImmediate ? random.nextLong() : 0;
        int status = here.stream
                .sends()
                .post(
                        withImmediate ? SendOpcode.RDMA_WRITE_WITH_IMMEDIATE : SendOpcode.RDMA_WRITE,
                        posted.size(),
                        source.base + from,
                        length,
                        source.stag(),
                        remote.base + to,
                        remote.stag(),
                        value,
                        flags);
        record(status, flags, WcOpcode.RDMA_WRITE, length);
        System.arraycopy(source.bytes(from, length), 0, remoteModel, to, length);
        if (withImmediate) {
            messages.add(new Message(new byte[0], true, value, false));
        }
    }

    private void read(Guarded from, byte[] model, boolean changing) {
        int length = Math.min(size(), BYTES - sinkUsed);
        int offset = random.nextInt(BYTES - length + 1);
        int flags = flags();
        int status = here.stream
                .sends()
                .post(
                        SendOpcode.RDMA_READ,
                        posted.size(),
                        sink.base + sinkUsed,
                        length,
                        sink.stag(),
                        from.base + offset,
                        from.stag(),
                        0,
                        flags);
        record(status, flags, WcOpcode.RDMA_READ, length);
        System.arraycopy(model, offset, sinkModel, sinkUsed, length);
        sinkUsed += length;
        readsOfRemote |= changing;
    }

    private void atomic() {
        int cell = random.nextInt(CELLS);
        long before = cellModel[cell];
        long value = random.nextLong();
        int flags = flags();
        long local = results.base + 8L * resultModel.size();
        long target = cells.base + 8L * cell;
        boolean add = random.nextBoolean();
        int status;
        if (add) {
            status = here.stream
                    .sends()
                    .postAtomic(
                            SendOpcode.FETCH_ADD,
                            posted.size(),
                            local,
                            results.stag(),
                            target,
                            cells.stag(),
                            value,
                            0,
                            0,
                            0,
                            flags);
            cellModel[cell] = before + value;
        } else {
            long compareMask = random.nextBoolean() ? 0xFF : 0;
            long swapMask = random.nextLong();
            long compare = random.nextBoolean() ? before : random.nextLong();
            status = here.stream
                    .sends()
                    .postAtomic(
                            SendOpcode.MASKED_CMP_SWAP,
                            posted.size(),
                            local,
                            results.stag(),
                            target,
                            cells.stag(),
                            compare,
                            value,
                            compareMask,
                            swapMask,
                            flags);
            if (((before ^ compare) & compareMask) == 0) {
                cellModel[cell] = (before & ~swapMask) | (value & swapMask);
            }
        }
        record(status, flags, add ? WcOpcode.FETCH_ADD : WcOpcode.CMP_SWAP, 8);
        resultModel.add(before);
    }

    /** After a good end everything is as the model says. */
    void assertAllDone() {
        assertThat(here.sends.list).allMatch(Wc::ok);
        assertThat(here.sends.ids())
                .isEqualTo(posted.stream()
                        .filter(Posted::signaled)
                        .map(Posted::wrId)
                        .toList());
        assertThat(remote.bytes()).as("written").isEqualTo(remoteModel);
        assertThat(sink.bytes()).as("read").isEqualTo(sinkModel);
        for (int i = 0; i < CELLS; i++) {
            assertThat(cells.getLong(8L * i)).as("cell %d", i).isEqualTo(cellModel[i]);
        }
        for (int i = 0; i < resultModel.size(); i++) {
            assertThat(results.getLong(8L * i)).as("result %d", i).isEqualTo(resultModel.get(i));
        }
        assertThat(there.receives.list.stream().filter(Wc::ok).count()).isEqualTo(messages.size());
        assertReceives(true);
        assertSends();
    }

    /** However it ended: each request that has to complete did once, in order, and no success follows a failure. */
    void assertSends() {
        int at = 0;
        boolean failed = false;
        for (Wc wc : here.sends.list) {
            while (posted.get(at).wrId() != wc.wrId()) {
                assertThat(posted.get(at).signaled() || failed)
                        .as("request %d has no completion", at)
                        .isFalse();
                at++;
            }
            assertThat(wc.qpNumber()).isEqualTo(here.qpNumber);
            if (wc.ok()) {
                assertThat(failed).as("success %d behind a failure", at).isFalse();
                assertThat(posted.get(at).signaled()).isTrue();
                assertThat(wc.opcode()).isEqualTo(posted.get(at).opcode());
            }
            failed |= !wc.ok();
            at++;
        }
        for (; at < posted.size(); at++) {
            assertThat(posted.get(at).signaled() || failed)
                    .as("request %d has no completion", at)
                    .isFalse();
        }
        assertThat(here.stream.idle())
                .as("idle in %s, %s, of %d", here.stream.state(), here.stream.fault(), posted.size())
                .isTrue();
    }

    /** The peer's receives completed once each and in order: first messages as sent, then failures. */
    void assertReceives(boolean contents) {
        List<Wc> list = there.receives.list;
        assertThat(list).hasSize(RECEIVES);
        boolean failed = false;
        for (int i = 0; i < RECEIVES; i++) {
            Wc wc = list.get(i);
            assertThat(wc.wrId()).isEqualTo(i);
            assertThat(wc.ok() && failed).as("receive %d behind a failure", i).isFalse();
            failed |= !wc.ok();
            if (wc.ok() && contents) {
                Message message = messages.get(i);
                assertThat(wc.opcode()).isEqualTo(message.immediate() ? WcOpcode.RECV_IMMEDIATE : WcOpcode.RECV);
                assertThat(wc.has(CompletionSink.SOLICITED)).isEqualTo(message.solicited());
                if (message.immediate()) {
                    assertThat(wc.immediateOrStag()).isEqualTo(message.value());
                } else {
                    assertThat(wc.byteCount()).isEqualTo(message.octets().length);
                }
                assertThat(inbox.bytes((long) i * RECEIVE_BYTES, message.octets().length))
                        .as("message %d", i)
                        .isEqualTo(message.octets());
            }
        }
    }

    int postedCount() {
        return posted.size();
    }
}
