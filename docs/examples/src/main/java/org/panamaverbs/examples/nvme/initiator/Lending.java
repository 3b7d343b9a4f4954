package org.panamaverbs.examples.nvme.initiator;

import org.panamaverbs.api.device.Capabilities;

/** How the memory of a command is lent to the controller. */
enum Lending {
    /**
     * By a window of its own, of exactly its bytes and the one right that is needed. The answer takes it away again
     * (Send with Invalidate), or the host does.
     */
    WINDOWS,
    /**
     * By the registration of all data: for devices without windows. The controller can reach all of it, all the time.
     */
    REGISTRATION;

    /** Returns what a device with {@code capabilities} can. */
    static Lending of(Capabilities capabilities) {
        return capabilities.features().contains(Capabilities.Feature.MEMORY_WINDOW_TYPE_2) ? WINDOWS : REGISTRATION;
    }
}
