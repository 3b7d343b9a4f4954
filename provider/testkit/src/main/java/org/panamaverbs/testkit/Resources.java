package org.panamaverbs.testkit;

/** What a test has opened, closed in reverse order; every close runs, the first failure is thrown with the others. */
public final class Resources implements AutoCloseable {
    private final org.panamaverbs.api.support.Resources open = new org.panamaverbs.api.support.Resources();

    /** Creates a list that holds nothing. */
    public Resources() {}

    /** Adds {@code resource} and returns it. */
    public <T extends AutoCloseable> T add(T resource) {
        return open.add(resource);
    }

    @Override
    public void close() {
        open.close((resource, failure) -> new AssertionError("cannot close " + resource, failure));
    }
}
