package org.panamaverbs.memory;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was opened one after the other, to be closed in reverse order whatever fails meanwhile: a scope for many
 * objects. Can be used by several threads.
 *
 * <pre>{@code
 * try (var scope = new Resources()) {
 *     var verbs = scope.add(Verbs.open());
 *     var domain = scope.add(verbs.protectionDomain());
 *     var queue = scope.add(verbs.completionQueue(256));
 *     var connection = scope.add(verbs.connect(address, QueuePairConfig.of(domain, queue), deadline));
 *     connection.disconnect(deadline);
 * }
 * }</pre>
 *
 * <p>Who makes something of many objects hands them over when all are made; what was made before a failure is closed:
 *
 * <pre>{@code
 * static Peer connect(InetSocketAddress address, Deadline deadline) {
 *     try (var scope = new Resources()) {
 *         var verbs = scope.add(Verbs.open());
 *         var domain = scope.add(verbs.protectionDomain());
 *         var queue = scope.add(verbs.completionQueue(256));
 *         var connection = scope.add(verbs.connect(address, QueuePairConfig.of(domain, queue), deadline));
 *         return new Peer(connection, scope.handOver()); // whose close() closes what was handed over
 *     }
 * }
 * }</pre>
 */
public final class Resources implements AutoCloseable {
    /** A list, which grows before it adds: what cannot be added for lack of memory loses nothing. */
    private final List<AutoCloseable> open = new ArrayList<>();

    /**
     * Converts the first failure into the exception that the caller gets.
     *
     * @param <X> what is thrown
     */
    @FunctionalInterface
    public interface Told<X extends Throwable> {
        /** Returns what is thrown, as {@code resource} did not close because of {@code failure}. */
        X of(AutoCloseable resource, Throwable failure);
    }

    /** Creates an empty collection. */
    public Resources() {}

    /** Adds {@code resource} and returns it. */
    public synchronized <T extends AutoCloseable> T add(T resource) {
        open.add(resource);
        return resource;
    }

    /**
     * Hands all that was added over to a new scope and returns that; this one is empty then, may be used on, and closes
     * nothing of it.
     */
    public synchronized Resources handOver() {
        Resources taker = new Resources();
        taker.open.addAll(open);
        open.clear();
        return taker;
    }

    /**
     * Closes all that was added, as {@link #close(Told)}.
     *
     * @throws IllegalStateException that names what did not close, with the failure as its cause
     */
    @Override
    public void close() {
        close((resource, failure) -> new IllegalStateException("cannot close " + resource, failure));
    }

    /**
     * Closes all that was added, the latest first. Every one is closed, also after a failure, and none a second time.
     * What others add meanwhile is closed, too; they do not wait for it. Nor does who closes while another thread does,
     * as with {@link ManagedResource#close}: it closes what is left, and what the other is at may still be open when it
     * returns. So what is closed may wait for a thread that closes, too.
     *
     * <p>Something that does not close keeps what it was made from from closing. Of these nothing is told, as their
     * refusal would only say again that it is open.
     *
     * @param told makes what is thrown of the first failure; later ones are suppressed exceptions of that
     */
    public <X extends Throwable> void close(Told<X> told) throws X {
        X failure = closeEach(told);
        if (failure != null) {
            throw failure;
        }
    }

    /** Closes all that was added, none of which throws a checked exception, and throws the first failure as it is. */
    void closeAsIs() {
        Throwable failure = closeEach((resource, first) -> first);
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
    }

    private <X extends Throwable> @Nullable X closeEach(Told<X> told) {
        X failure = null;
        List<AutoCloseable> failed = List.of();
        for (AutoCloseable resource = latest(); resource != null; resource = latest()) {
            try {
                resource.close();
            } catch (Throwable e) {
                if (failure == null) {
                    failure = told.of(resource, e);
                } else if (!(e instanceof OpenChildrenException refusal && refusal.followsFrom(failed))) {
                    suppress(failure, e);
                }
                failed = with(resource, failed);
            }
        }
        return failure;
    }

    /**
     * Adds {@code also} to the suppressed exceptions of {@code failure}, unless it is the same: for want of memory the
     * virtual machine throws one error again and again. It is lost where there is no memory to keep it: what failed
     * first counts.
     */
    @SuppressWarnings("ReferenceEquality")
    public static void suppress(Throwable failure, Throwable also) {
        if (also != failure) {
            try {
                failure.addSuppressed(also);
            } catch (OutOfMemoryError e) {
                // The first failure goes on all the same.
            }
        }
    }

    private static List<AutoCloseable> with(AutoCloseable resource, List<AutoCloseable> failed) {
        List<AutoCloseable> more = new ArrayList<>(failed);
        more.add(resource);
        return more;
    }

    private synchronized @Nullable AutoCloseable latest() {
        return open.isEmpty() ? null : open.removeLast();
    }
}
