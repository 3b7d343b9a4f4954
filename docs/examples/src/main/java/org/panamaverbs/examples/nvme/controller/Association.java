package org.panamaverbs.examples.nvme.controller;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.examples.nvme.wire.SetupRequest;

/** Which queue of which controller a connection is: the host said the one when it connected, the other by Connect. */
final class Association {
    private final SetupRequest setup;
    private @Nullable Controller controller;

    Association(SetupRequest setup) {
        this.setup = setup;
    }

    int queueId() {
        return setup.queueId();
    }

    boolean isAdmin() {
        return setup.queueId() == 0;
    }

    /** Returns how many commands the host sends at most at once. */
    int depth() {
        return setup.sends() + 1;
    }

    /** Returns the controller, null before Connect. */
    @Nullable
    Controller controller() {
        return controller;
    }

    void connected(Controller to) {
        controller = to;
    }
}
