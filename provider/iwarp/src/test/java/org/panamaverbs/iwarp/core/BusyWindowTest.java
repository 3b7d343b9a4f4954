package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.cm.TerminateReason;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.memory.Access;
import org.panamaverbs.spi.support.WindowBinding;

/** A bind of a window that another stream is in: tried again soon, but only when that can be of use. */
class BusyWindowTest {
    private static final int RIGHTS = Access.mask(Access.REMOTE_WRITE);

    private final Pair pair = new Pair().start();
    private final Side a = pair.a;
    private final Side b = pair.b;
    private final Guarded bound = b.memory(256, 0x5000, Guarded.ALL);
    private final Region window = Objects.requireNonNull(b.stags.reserve(Side.DOMAIN));

    @BeforeEach
    void somebodyIsInTheWindow() {
        bind(1);
        pair.settle();
        assertThat(window.pin(window.stag())).isTrue();
    }

    private void bind(long wrId) {
        b.stream
                .sends()
                .postBind(
                        wrId,
                        window,
                        false,
                        bound.stag(),
                        new WindowBinding(window.nextStag((int) wrId), 0x5000, 256, RIGHTS),
                        SendFlag.SIGNALED);
    }

    @Test
    void isNotTriedWhileThePeerTakesNothing() {
        Guarded from = b.memory(4096);
        b.write(2, from, 0, 4096, a.memory(4096), 0);
        bind(3);
        assertThat(b.stream.transmit(pair.now).isEmpty()).isFalse();
        b.stream.sent(0, pair.now);
        assertThat(b.stream.hasDeadline()).as("the peer may leave it so").isFalse();

        pair.settle();
        assertThat(b.stream.hasDeadline()).as("only the window is in its way").isTrue();
        window.unpin();
        pair.elapse();
        assertThat(b.sends.brief()).containsExactly("1 BIND_WINDOW", "2 RDMA_WRITE", "3 BIND_WINDOW");
        pair.disconnect();
    }

    @Test
    void isNotTriedAfterThePeersTerminate() {
        bind(2);
        pair.settle();
        assertThat(b.stream.deadlineNanos() - pair.now).isLessThan(1_000_000);

        a.stream.fail(Fault.local(TerminateReason.LOCAL_REQUEST, "a test"), pair.now);
        a.transmit(pair.now);
        // The driver transmits only where there is something: the timer must not depend on it.
        b.step(pair.now);
        assertThat(b.stream.state()).isEqualTo(StreamState.LINGERING);
        assertThat(b.stream.deadlineNanos() - pair.now).isEqualTo(Side.LINGER_NANOS);
        window.unpin();
    }
}
