package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.memory.Access;
import org.panamaverbs.spi.support.WindowBinding;
import org.panamaverbs.testkit.Requirement;

/** Windows between two streams: bound, bound anew, invalidated from here and from afar. */
class PairWindowTest {
    private static final byte[] HELLO = "hello".getBytes(StandardCharsets.US_ASCII);
    private final Pair pair = new Pair().start();
    private final Side a = pair.a;
    private final Side b = pair.b;

    @Test
    @Requirement({"DDP-4.2-02", "DDP-8.3-3-01", "RDMAP-3.2-02", "RDMAP-5.3-14", "DDP-5.4-03"})
    void bindsWindowsAndInvalidatesThemFromAfar() {
        Guarded from = a.memory(64).put(0, HELLO);
        Guarded to = b.memory(256, 0x5000, Guarded.ALL);
        Region window = bindWindow(to, 0x5000 + 32, 16, true);
        int stag = window.stag();
        assertThat(b.sends.brief()).containsExactly("1 BIND_WINDOW");
        Guarded receive = b.memory(64);
        b.receive(9, receive, 0, 64);
        a.stream
                .sends()
                .post(SendOpcode.RDMA_WRITE, 2, from.base, 5, from.stag(), 0x5000 + 43, stag, 0, SendFlag.SIGNALED);
        a.stream
                .sends()
                .post(
                        SendOpcode.SEND_WITH_INVALIDATE,
                        3,
                        from.base,
                        5,
                        from.stag(),
                        0,
                        0,
                        Integer.toUnsignedLong(stag),
                        SendFlag.SIGNALED);
        pair.settle();
        assertThat(to.bytes(43, 5)).isEqualTo(HELLO);
        Wc received = b.receives.last();
        assertThat(received.brief()).isEqualTo("9 RECV");
        assertThat(received.has(CompletionSink.HAS_INVALIDATED_STAG)).isTrue();
        assertThat((int) received.immediateOrStag()).isEqualTo(stag);
        a.stream
                .sends()
                .post(SendOpcode.RDMA_WRITE, 4, from.base, 5, from.stag(), 0x5000 + 43, stag, 0, SendFlag.SIGNALED);
        pair.elapse();
        assertThat(a.stream.terminateCause()).isNotNull();
        assertThat(a.cause()).startsWith("1/1/00");
        pair.assertGuards();
    }

    @Test
    void invalidatesWindowsLocally() {
        Guarded from = a.memory(64).put(0, HELLO);
        Guarded to = b.memory(256, 0x5000, Guarded.ALL);
        Region window = bindWindow(to, 0x5000, 256, true);
        int stag = window.stag();
        assertThat(b.stream.sends().postLocalInvalidate(2, stag, SendFlag.SIGNALED))
                .isZero();
        pair.settle();
        assertThat(b.sends.brief()).containsExactly("1 BIND_WINDOW", "2 LOCAL_INVALIDATE");
        a.stream.sends().post(SendOpcode.RDMA_WRITE, 4, from.base, 5, from.stag(), 0x5000, stag, 0, SendFlag.SIGNALED);
        pair.elapse();
        assertThat(to.bytes()).containsOnly(0);
        assertThat(b.cause()).startsWith("1/1/00");
    }

    @Test
    void rebindsAWindowUnderANewStag() {
        Guarded to = b.memory(256, 0x5000, Guarded.ALL);
        Guarded local = a.memory(64);
        Region window = bindWindow(to, 0x5000, 256, false);
        int first = window.stag();
        int second = window.nextStag(12345);
        assertThat(second).isNotEqualTo(first);
        b.stream
                .sends()
                .postBind(2, window, false, to.stag(), new WindowBinding(second, 0x5000, 0, 0), SendFlag.SIGNALED);
        int third = window.nextStag(99);
        b.stream
                .sends()
                .postBind(
                        3,
                        window,
                        true,
                        to.stag(),
                        new WindowBinding(third, 0x5000 + 8, 8, Access.mask(Access.REMOTE_READ)),
                        SendFlag.SIGNALED);
        pair.settle();
        assertThat(b.sends.list).allMatch(Wc::ok).hasSize(3);
        to.pattern(3);
        a.stream
                .sends()
                .post(SendOpcode.RDMA_READ, 4, local.base, 8, local.stag(), 0x5000 + 8, third, 0, SendFlag.SIGNALED);
        pair.settle();
        assertThat(a.sends.brief()).containsExactly("4 RDMA_READ");
        assertThat(local.bytes(0, 8)).isEqualTo(to.bytes(8, 8));
        pair.disconnect();
    }

    @Test
    void onlyWindowsOfTheStreamAreInvalidated() {
        Guarded to = b.memory(256, 0x5000, Guarded.ALL);
        Region window = bindWindow(to, 0x5000, 256, false);
        b.stream.sends().postLocalInvalidate(2, window.stag(), SendFlag.SIGNALED);
        pair.elapse();
        assertThat(b.sends.brief()).containsExactly("1 BIND_WINDOW", "2 " + WcStatus.LOCAL_PROTECTION_ERROR);
    }

    @Test
    void refusesToBindOutsideOfTheBuffer() {
        Guarded to = b.memory(256, 0x5000, Guarded.ALL);
        Region window = Objects.requireNonNull(b.stags.reserve(Side.DOMAIN));
        b.stream
                .sends()
                .postBind(
                        1,
                        window,
                        false,
                        to.stag(),
                        new WindowBinding(window.nextStag(1), 0x5000 + 1, 256, Guarded.ALL),
                        SendFlag.SIGNALED);
        pair.elapse();
        assertThat(b.sends.brief()).containsExactly("1 " + WcStatus.MEMORY_WINDOW_BIND_ERROR);
    }

    // RFC 5040 §8.1.2: an STag is bound only over memory that its application may give away so.
    @ParameterizedTest
    @ValueSource(strings = {"foreign", "revoked", "window", "without the right", "read-only", "before", "beyond"})
    @Requirement({"RDMAP-8.1.2-4-01", "SEC-7.3-01"})
    void refusesToBindOverMemoryThatItMayNotGiveAway(String what) {
        Guarded memory = switch (what) {
            case "foreign" -> b.memory(64, 0x5000, Guarded.ALL, Side.DOMAIN + 1);
            case "without the right" -> b.memory(64, 0x5000, Access.mask(Access.LOCAL_WRITE, Access.REMOTE_READ));
            case "read-only" -> b.memory(64, 0x5000, Access.mask(Access.REMOTE_READ, Access.MEMORY_WINDOW_BIND));
            default -> b.memory(64, 0x5000, Guarded.ALL);
        };
        int over = what.equals("window") ? bindWindow(memory, 0x5000, 64, false).stag() : memory.stag();
        if (what.equals("revoked")) {
            assertThat(memory.region.revoke()).isTrue();
        }
        b.sends.list.clear();
        Region window = Objects.requireNonNull(b.stags.reserve(Side.DOMAIN));
        int rights = Access.mask(Access.REMOTE_WRITE, Access.REMOTE_READ);
        long address = what.equals("before") ? 0x4FFF : 0x5000;
        long length = what.equals("beyond") ? 65 : 64;
        b.stream
                .sends()
                .postBind(
                        2,
                        window,
                        false,
                        over,
                        new WindowBinding(window.nextStag(1), address, length, rights),
                        SendFlag.SIGNALED);
        pair.elapse();
        assertThat(b.sends.brief()).containsExactly("2 " + WcStatus.MEMORY_WINDOW_BIND_ERROR);
        assertThat(window.revoke()).as("is bound").isFalse();
    }

    private Region bindWindow(Guarded to, long address, long length, boolean scoped) {
        Region window = Objects.requireNonNull(b.stags.reserve(Side.DOMAIN));
        int rights = Access.mask(Access.REMOTE_WRITE, Access.REMOTE_READ);
        int status = b.stream
                .sends()
                .postBind(
                        1,
                        window,
                        scoped,
                        to.stag(),
                        new WindowBinding(window.nextStag(77), address, length, rights),
                        SendFlag.SIGNALED);
        assertThat(status).isEqualTo(PostStatus.ACCEPTED);
        pair.settle();
        return window;
    }
}
