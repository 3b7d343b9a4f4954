package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.memory.Access;
import org.panamaverbs.spi.support.WindowBinding;

/** A bit of everything in both directions, whose outcome is known. */
final class Conversation {
    private static final int BYTES = 1024;
    private final Pair pair;
    private final Talk fromA;
    private final Talk fromB;

    Conversation(Pair pair) {
        this.pair = pair;
        fromA = new Talk(pair.a, pair.b);
        fromB = new Talk(pair.b, pair.a);
    }

    /** One side's part of it. */
    private static final class Talk {
        final Side here;
        final Side there;
        final Guarded local;
        final Guarded sink;
        final Guarded remote;
        final Guarded inbox;
        final Region window;

        Talk(Side here, Side there) {
            this.here = here;
            this.there = there;
            local = here.memory(BYTES).pattern(here.qpNumber);
            sink = here.memory(BYTES);
            remote = there.memory(BYTES).pattern(here.qpNumber + 1);
            inbox = there.memory(8 * 256);
            window = java.util.Objects.requireNonNull(there.stags.reserve(Side.DOMAIN));
            remote.putLong(800, 7);
        }

        void prepare() {
            there.receives(8, 500, inbox, 256);
            int rights = Access.mask(Access.REMOTE_WRITE);
            PostStatus.check(there.stream
                    .sends()
                    .postBind(
                            900,
                            window,
                            true,
                            remote.stag(),
                            new WindowBinding(window.nextStag(3), remote.base + 900, 100, rights),
                            SendFlag.SIGNALED));
        }

        void post() {
            here.send(1, local, 0, 0);
            here.send(2, local, 1, 1);
            here.write(3, local, 10, 101, remote, 50);
            here.read(4, sink, 0, 100, remote, 300);
            here.post(SendOpcode.SEND, 5, local, 100, 190, 0, 0, 0);
            here.fetchAdd(6, sink, 800, remote, 800, 5);
            here.stream
                    .sends()
                    .postAtomic(
                            SendOpcode.CMP_SWAP,
                            7,
                            sink.base + 808,
                            sink.stag(),
                            remote.base + 800,
                            remote.stag(),
                            12,
                            99,
                            -1L,
                            -1L,
                            SendFlag.SIGNALED);
            here.post(SendOpcode.RDMA_WRITE_WITH_IMMEDIATE, 8, local, 500, 33, remote.base + 200, remote.stag(), 88);
            here.stream
                    .sends()
                    .post(SendOpcode.IMMEDIATE, 9, 0, 0, 0, 0, 0, -2L, SendFlag.SIGNALED | SendFlag.SOLICITED);
            here.read(10, sink, 200, 260, remote, 400);
            here.post(SendOpcode.RDMA_WRITE, 11, local, 60, 7, remote.base + 910, window.stag(), 0);
            here.post(SendOpcode.SEND_WITH_INVALIDATE, 12, local, 7, 9, 0, 0, Integer.toUnsignedLong(window.stag()));
            here.write(13, local, 0, 0, remote, 0);
            here.read(14, sink, 0, 0, remote, 0);
        }

        void check() {
            List<Long> posted = new ArrayList<>();
            for (long id = 1; id <= 14; id++) {
                posted.add(id);
            }
            assertThat(here.sends.list).allMatch(Wc::ok);
            assertThat(here.sends.ids().stream().filter(id -> id != 900).toList())
                    .isEqualTo(posted);
            assertThat(there.receives.brief())
                    .containsExactly(
                            "500 RECV", "501 RECV", "502 RECV", "503 RECV_IMMEDIATE", "504 RECV_IMMEDIATE", "505 RECV");
            assertThat(there.receives.list.subList(0, 3))
                    .extracting(Wc::byteCount)
                    .containsExactly(0L, 1L, 190L);
            assertThat(there.receives.list.get(3).immediateOrStag()).isEqualTo(88);
            assertThat(there.receives.list.get(4).immediateOrStag()).isEqualTo(-2);
            assertThat(there.receives.list.get(5).has(CompletionSink.HAS_INVALIDATED_STAG))
                    .isTrue();
            assertThat(inbox.bytes(256, 1)).isEqualTo(local.bytes(1, 1));
            assertThat(inbox.bytes(512, 190)).isEqualTo(local.bytes(100, 190));
            assertThat(inbox.bytes(1280, 9)).isEqualTo(local.bytes(7, 9));
            assertThat(remote.bytes(50, 101)).isEqualTo(local.bytes(10, 101));
            assertThat(remote.bytes(200, 33)).isEqualTo(local.bytes(500, 33));
            assertThat(remote.bytes(910, 7)).isEqualTo(local.bytes(60, 7));
            assertThat(sink.bytes(0, 100)).isEqualTo(remote.bytes(300, 100));
            assertThat(sink.bytes(200, 260)).isEqualTo(remote.bytes(400, 260));
            assertThat(sink.getLong(800)).isEqualTo(7);
            assertThat(sink.getLong(808)).isEqualTo(12);
            assertThat(remote.getLong(800)).isEqualTo(99);
        }

        List<String> trace() {
            List<String> all = new ArrayList<>(there.receives.brief());
            all.addAll(here.sends.brief());
            return all;
        }
    }

    /** Posts what each side has to say; nothing moves yet but the windows' binding. */
    void post() {
        fromA.prepare();
        fromB.prepare();
        pair.settle();
        fromA.post();
        fromB.post();
    }

    /** Fails if anything of it is missing or wrong. */
    void check() {
        fromA.check();
        fromB.check();
        pair.assertGuards();
    }

    List<String> trace() {
        List<String> all = fromA.trace();
        all.addAll(fromB.trace());
        return all;
    }
}
