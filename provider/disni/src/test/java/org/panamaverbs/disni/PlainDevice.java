package org.panamaverbs.disni;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.SendQueue;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.spi.support.CompletionWriter;

/**
 * The loopback's device with two habits of drivers that it has not: a list is taken in part where the queue is full,
 * and a completion that failed does not say of what it is.
 */
final class PlainDevice {
    private static final CompletionWriter WRITER = CompletionWriter.get();

    private PlainDevice() {}

    /** Returns {@code queue} with completions that do not say what failed. */
    static CompletionQueue tacit(CompletionQueue queue) {
        return wrap(CompletionQueue.class, queue, (method, arguments) -> {
            int count = (int) invoke(queue, method, arguments);
            for (int i = 0; i < count; i++) {
                WorkCompletion failed = ((WorkCompletions) arguments[0]).get(i);
                if (!failed.ok()) {
                    WcStatus status = failed.status();
                    WRITER.set(
                            failed, failed.wrId(), status, WcOpcode.SEND, failed.qpNumber(), 0, failed.vendorError());
                }
            }
            return count;
        });
    }

    /** Returns {@code queue}, whose receives say that they are of Sends of 0 bytes with immediate data. */
    static CompletionQueue emptySends(CompletionQueue queue) {
        return wrap(CompletionQueue.class, queue, (method, arguments) -> {
            int count = (int) invoke(queue, method, arguments);
            for (int i = 0; i < count; i++) {
                WorkCompletion received = ((WorkCompletions) arguments[0]).get(i);
                WRITER.set(
                        received,
                        received.wrId(),
                        WcStatus.SUCCESS,
                        WcOpcode.RECV_IMMEDIATE,
                        received.qpNumber(),
                        0,
                        0);
                WRITER.immediate(received, 1);
                WRITER.bySend(received);
            }
            return count;
        });
    }

    /** Returns {@code queuePair} with a batch of which {@code room} requests are taken, and then none. */
    static QueuePair withRoom(QueuePair queuePair, int room) {
        Batch batch = new PartialBatch(queuePair, room).asBatch();
        return (QueuePair) Proxy.newProxyInstance(
                PlainDevice.class.getClassLoader(),
                new Class<?>[] {QueuePair.class},
                (proxy, method, arguments) ->
                        method.getName().equals("batch") ? batch : invoke(queuePair, method, arguments));
    }

    /** Collects posts, and hands them to the queue pair as far as there is room. */
    private static final class PartialBatch {
        private final QueuePair queuePair;
        private final List<Function<SendQueue, Object>> collected = new ArrayList<>();
        private int room;

        PartialBatch(QueuePair queuePair, int room) {
            this.queuePair = queuePair;
            this.room = room;
        }

        Batch asBatch() {
            return (Batch) Proxy.newProxyInstance(
                    PlainDevice.class.getClassLoader(), new Class<?>[] {Batch.class}, (proxy, method, arguments) -> {
                        return switch (method.getName()) {
                            case "submit" -> submit();
                            case "pending" -> collected.size();
                            case "discard" -> discard();
                            default -> collect(to -> invoke(to, method, arguments));
                        };
                    });
        }

        private int collect(Function<SendQueue, Object> post) {
            collected.add(post);
            return PostStatus.ACCEPTED;
        }

        private @Nullable Object discard() {
            collected.clear();
            return null;
        }

        private int submit() {
            int count = Math.min(room, collected.size());
            if (count == 0 && !collected.isEmpty()) {
                return PostStatus.QUEUE_FULL;
            }
            for (int i = 0; i < count; i++) {
                PostStatus.check((int) collected.removeFirst().apply(queuePair));
            }
            room -= count;
            return count;
        }
    }

    private interface Call {
        Object run(Method method, Object[] arguments);
    }

    private static <T> T wrap(Class<T> type, T target, Call poll) {
        return type.cast(Proxy.newProxyInstance(
                PlainDevice.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> method.getName().equals("poll")
                        ? poll.run(method, arguments)
                        : invoke(target, method, arguments)));
    }

    private static Object invoke(Object target, Method method, Object[] arguments) {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new AssertionError(e.getCause());
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
