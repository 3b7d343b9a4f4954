package org.panamaverbs.ibverbs.objects;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.ibverbs.Ibverbs;
import org.panamaverbs.bindings.ibverbs.ibv_comp_channel;
import org.panamaverbs.ibverbs.call.Failure;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.call.Wakeup;
import org.panamaverbs.ibverbs.call.Wakeup.Outcome;
import org.panamaverbs.memory.ManagedResource;

/** A completion channel. One thread waits in poll(2) at a time, others wait for their turn. */
final class IbvCompletionChannel extends ManagedResource implements CompletionChannel {
    private final IbvContext context;
    private final MemorySegment handle;
    private final int fd;
    private final ReentrantLock turn = new ReentrantLock(true);
    private final Wakeup wakeup;

    /** Only takes over: {@code wakeup} is closed with it. */
    private IbvCompletionChannel(IbvContext context, MemorySegment handle, Wakeup wakeup) {
        super("completion channel " + context.nextNumber(), context);
        this.context = context;
        this.handle = handle;
        this.wakeup = wakeup;
        fd = ibv_comp_channel.fd(handle);
    }

    static IbvCompletionChannel create(IbvContext context) {
        MemorySegment handle = IbvCalls.CREATE_COMP_CHANNEL.pointer(context.resourceName(), context.handle());
        return Natives.adopt(
                () -> {
                    Wakeup.setNonBlocking(ibv_comp_channel.fd(handle));
                    Wakeup wakeup = Wakeup.open();
                    return Natives.adopt(() -> new IbvCompletionChannel(context, handle, wakeup), wakeup::close);
                },
                () -> IbvCalls.DESTROY_COMP_CHANNEL.check(context.resourceName(), handle));
    }

    IbvContext context() {
        return context;
    }

    MemorySegment handle() {
        return handle;
    }

    @Override
    public Optional<CompletionQueue> await(Deadline deadline) {
        requireOpen();
        try {
            if (!turn.tryLock(deadline.remainingNanos(), TimeUnit.NANOSECONDS)) {
                return Optional.empty();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + resourceName(), e);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment queue = arena.allocate(Ibverbs.C_POINTER);
            MemorySegment cookie = arena.allocate(Ibverbs.C_POINTER);
            while (true) {
                requireOpen();
                Outcome outcome = wakeup.await(fd, deadline);
                if (outcome == Outcome.PASSED) {
                    return Optional.empty();
                }
                requireOpen();
                int errno = IbvCalls.GET_CQ_EVENT.status(handle, queue, cookie);
                if (errno != 0 && errno != Errno.EAGAIN && errno != Errno.EINTR) {
                    throw Failure.of("ibv_get_cq_event", resourceName(), errno);
                }
                if (errno == 0) {
                    MemorySegment raised = queue.get(Ibverbs.C_POINTER, 0);
                    ManagedResource object = context.object(raised.address());
                    IbvCalls.ACK_CQ_EVENTS.run(raised, 1);
                    if (object instanceof IbvCompletionQueue found) {
                        return Optional.of(found);
                    }
                }
            }
        } finally {
            turn.unlock();
        }
    }

    @Override
    public OptionalInt fileDescriptor() {
        requireOpen();
        return OptionalInt.of(fd);
    }

    @Override
    protected void release() {
        wakeup.signal();
        turn.lock(); // after the thread that waits
        try {
            IbvCalls.DESTROY_COMP_CHANNEL.check(resourceName(), handle);
        } finally {
            wakeup.close();
            turn.unlock();
        }
    }
}
