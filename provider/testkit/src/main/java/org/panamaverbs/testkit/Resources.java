package org.panamaverbs.testkit;

import java.util.ArrayDeque;
import java.util.Deque;

/** What a test has opened, closed in reverse order; every close runs, the first failure is thrown with the others. */
public final class Resources implements AutoCloseable {
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    /** Makes one that holds nothing. */
    public Resources() {}

    /** Adds {@code resource} and returns it. */
    public synchronized <T extends AutoCloseable> T add(T resource) {
        open.push(resource);
        return resource;
    }

    @Override
    public synchronized void close() {
        AssertionError failure = null;
        while (!open.isEmpty()) {
            AutoCloseable resource = open.pop();
            try {
                resource.close();
            } catch (Exception | AssertionError e) {
                if (failure == null) {
                    failure = new AssertionError("cannot close " + resource, e);
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
