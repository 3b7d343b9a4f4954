package org.panamaverbs.testkit.conformance.protection;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.util.function.Function;
import java.util.function.Supplier;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SendQueue;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.testkit.Posts;

/** Binds with several faults, of which one is told: the first in the order that every provider keeps. */
public final class BindFaults {
    private static final int BYTES = 4096;
    private static final int NO_FLAG = 1 << 30;
    private static final int PEERS = Access.mask(Access.REMOTE_WRITE);
    private static final int NOT_OF_PEERS = Access.mask(Access.LOCAL_WRITE);

    private BindFaults() {}

    /** A window of another provider. */
    record Foreign() implements MemoryWindow {
        @Override
        public Type type() {
            return Type.TYPE_2;
        }

        @Override
        public int rkey() {
            return 1;
        }

        @Override
        public RemoteBuffer remote() {
            throw new IllegalStateException("was never bound");
        }

        @Override
        public void close() {
            // Has nothing.
        }
    }

    /** A bind of {@code window} that is posted to {@code queue}. */
    private record Bind(SendQueue queue, MemoryWindow window, RegisteredBuffer buffer) {
        int post(long offset, int access, int flags) {
            return queue.post(WorkRequest.of(SendOpcode.BIND_WINDOW)
                    .wrId(1)
                    .window(window, buffer, offset, BYTES, access)
                    .flags(flags));
        }

        /** Fails unless a bind with every fault behind {@code reason}'s ends in it. */
        void expect(Class<? extends RuntimeException> reason, String text, int access) {
            assertThatThrownBy(() -> post(1, access, NO_FLAG))
                    .isInstanceOf(reason)
                    .hasMessageContaining(text);
        }
    }

    /**
     * Takes one fault after the other away from a bind, and fails unless the next in order is told each time.
     *
     * @param domain of the queue pairs and the windows
     * @param another domain of the device
     * @param queuePairs makes queue pairs that are not connected
     * @param queue returns what of a queue pair is posted to: itself, or its batch
     * @param type of the windows
     */
    public static void expectInOrder(
            ProtectionDomain domain,
            ProtectionDomain another,
            Supplier<QueuePair> queuePairs,
            Function<QueuePair, SendQueue> queue,
            MemoryWindow.Type type) {
        QueuePair toClose = queuePairs.get();
        SendQueue closed = queue.apply(toClose);
        toClose.close();
        try (QueuePair open = queuePairs.get();
                RegisteredBuffer buffer = allocate(domain);
                MemoryWindow window = domain.memoryWindow(type)) {
            SendQueue sends = queue.apply(open);
            RegisteredBuffer closedBuffer = allocate(domain);
            closedBuffer.close();
            RegisteredBuffer foreignBuffer = allocate(another);
            foreignBuffer.close();
            MemoryWindow closedWindow = domain.memoryWindow(type);
            closedWindow.close();

            new Bind(closed, new Foreign(), foreignBuffer)
                    .expect(IllegalStateException.class, "queue pair", NOT_OF_PEERS);
            new Bind(sends, new Foreign(), foreignBuffer)
                    .expect(IllegalArgumentException.class, "memory window", NOT_OF_PEERS);
            new Bind(sends, closedWindow, foreignBuffer)
                    .expect(IllegalArgumentException.class, "remote rights only", NOT_OF_PEERS);
            new Bind(sends, closedWindow, foreignBuffer).expect(IllegalStateException.class, "memory window", PEERS);
            new Bind(sends, window, foreignBuffer)
                    .expect(IllegalArgumentException.class, "registered buffer does not belong to", PEERS);
            new Bind(sends, window, closedBuffer)
                    .expect(IllegalStateException.class, closedBuffer.resourceName(), PEERS);
            Bind bind = new Bind(sends, window, buffer);
            bind.expect(IndexOutOfBoundsException.class, "", PEERS);
            Posts.answered(PostStatus.INVALID, bind.post(0, PEERS, NO_FLAG));
            Posts.answered(PostStatus.NOT_CONNECTED, bind.post(0, PEERS, SIGNALED));
        }
    }

    private static RegisteredBuffer allocate(ProtectionDomain domain) {
        return domain.allocate(BYTES, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.MEMORY_WINDOW_BIND);
    }
}
