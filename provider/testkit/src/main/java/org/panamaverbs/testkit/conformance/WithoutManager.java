package org.panamaverbs.testkit.conformance;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;
import org.panamaverbs.api.ConnectionException;

/**
 * Skips the cases that cannot listen since rdma_cm has no address of the device, as of EFA and of mlx5 whose RoCE is
 * off; what needs no connection manager runs there.
 */
public final class WithoutManager implements TestExecutionExceptionHandler {
    /** For JUnit. */
    public WithoutManager() {}

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
        boolean unbound = thrown instanceof ConnectionException refused
                && refused.operation().equals("listen")
                && String.valueOf(refused.getMessage()).contains("EADDRNOTAVAIL");
        throw unbound ? new TestAbortedException("rdma_cm has no address of the device", thrown) : thrown;
    }
}
