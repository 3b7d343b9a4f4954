package org.panamaverbs.iwarp.core;

import org.panamaverbs.iwarp.core.memory.Protection;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.core.memory.StagTable;
import org.panamaverbs.memory.Access;

/** Binds windows as a stream does, for tests of the engine. */
public final class Binder {
    private Binder() {}

    /** Has a stream of {@code domain} bind {@code window} to {@code memory}; returns whether it did. */
    public static boolean bind(StagTable stags, int domain, Region window, int newStag, Region memory) {
        StreamConfig config =
                StreamConfig.builder().qpNumber(1).domainId(domain).maxSendWr(1).build();
        LocalOperations stream = new LocalOperations(stags, new Protection(stags, domain, 1, ~0), config);
        LocalOperations.Outcome outcome = stream.bind(
                window,
                newStag,
                memory.stag(),
                memory.base(),
                memory.length(),
                Access.mask(Access.REMOTE_WRITE),
                false);
        return outcome == LocalOperations.Outcome.DONE;
    }
}
