package org.panamaverbs.memory;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A scope for several resources, closed in the reverse order of their addition even if some fail to close. Any thread
 * may call any method.
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
 * <p>A factory hands its resources over at the end; after a failure before that, they are closed:
 *
 * <pre>{@code
 * static Peer connect(InetSocketAddress address, Deadline deadline) {
 *     try (var scope = new Resources()) {
 *         var verbs = scope.add(Verbs.open());
 *         var domain = scope.add(verbs.protectionDomain());
 *         var queue = scope.add(verbs.completionQueue(256));
 *         var connection = scope.add(verbs.connect(address, QueuePairConfig.of(domain, queue), deadline));
 *         return new Peer(connection, scope.handOver()); // Peer.close() closes the resources
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
     * @param <X> the type of the exception
     */
    @FunctionalInterface
    public interface Told<X extends Throwable> {
        /** Returns the exception to throw for {@code resource}, which did not close because of {@code failure}. */
        X of(AutoCloseable resource, Throwable failure);
    }

    /** Creates an empty scope. */
    public Resources() {}

    /** Adds {@code resource} and returns it. */
    public synchronized <T extends AutoCloseable> T add(T resource) {
        open.add(resource);
        return resource;
    }

    /** Returns a new scope with all resources of this one, which becomes empty and stays usable. */
    public synchronized Resources handOver() {
        Resources taker = new Resources();
        taker.open.addAll(open);
        open.clear();
        return taker;
    }

    /**
     * Closes all resources, as {@link #close(Told)}.
     *
     * @throws IllegalStateException if a resource did not close, naming it, with the failure as its cause
     */
    @Override
    public void close() {
        close((resource, failure) -> new IllegalStateException("cannot close " + resource, failure));
    }

    /**
     * Closes all resources, the latest first. Each is closed once, also after a failure, including those that other
     * threads add meanwhile. A thread that closes concurrently does not wait: it closes what is left, and resources
     * that the other thread is closing may still be open when it returns.
     *
     * <p>A resource that does not close keeps its parents from closing; their refusals are not reported.
     *
     * @param told converts the first failure; later ones become its suppressed exceptions
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
     * Adds {@code also} to the suppressed exceptions of {@code failure}, unless they are the same object, or no memory
     * is left to keep it.
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
