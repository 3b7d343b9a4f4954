package org.panamaverbs.ibverbs.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.completion.IbvCompletionChannel;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.context.ContextConfig;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.device.Quirks;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.ibverbs.stub.StubVerbs;

/** What fails while it is made leaves nothing behind: no native object, and no child that keeps its parent open. */
class UnmadeOverStubTest extends OverStub {
    @Test
    void queuePairWhoseMemoryCannotBeHad() {
        IbvCompletionQueue queue = verbs.queue(16);
        int made = Stub.objects();
        QueuePairConfig tooMuch =
                QueuePairConfig.of(verbs.domain(), queue).withDepth(1, 1).withInline(Integer.MAX_VALUE);
        assertThatThrownBy(() -> verbs.domain().create(tooMuch)).isInstanceOf(IllegalArgumentException.class);
        assertThat(Stub.objects()).isEqualTo(made);
        queue.close();
    }

    @Test
    void queuePairThatCannotBeInitialized() {
        IbvCompletionQueue queue = verbs.queue(16);
        int made = Stub.objects();
        Stub.fail("ibv_modify_qp", Errno.EINVAL, 1);
        assertThatThrownBy(() -> verbs.domain().create(QueuePairConfig.of(verbs.domain(), queue)))
                .isInstanceOf(ResourceException.class);
        assertThat(Stub.objects()).isEqualTo(made);
        queue.close();
    }

    @Test
    void completionChannelWithoutAFile() {
        int made = Stub.objects();
        Stub.fail("eventfd", Errno.EMFILE, 1);
        assertThatThrownBy(() -> IbvCompletionChannel.create(verbs.context())).hasMessageContaining("ulimit -n");
        assertThat(Stub.objects()).isEqualTo(made);
    }

    @ParameterizedTest
    @ValueSource(strings = {"eventfd", "ibv_create_cq"})
    void contextLeavesTheDeviceToTheCaller(String call) {
        ContextConfig config = StubVerbs.config(
                new Quirks(false, false, false, false, 4096, false, false, 0), EnumSet.noneOf(Feature.class));
        int opened = Stub.objects();
        Stub.fail(call, Errno.EMFILE, 1);
        assertThatThrownBy(() -> IbvContext.open(config)).hasMessageContaining("ulimit -n");
        assertThat(Stub.objects()).isEqualTo(opened);
        MemorySegment device = config.context();
        IbvCalls.CLOSE_DEVICE.check("the stub", device);
    }
}
