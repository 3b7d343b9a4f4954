package org.panamaverbs.examples.nvme.controller;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.examples.nvme.wire.ConnectData;

/** What the target is to all hosts: a name, a namespace, and a controller for each host. */
final class Subsystem {
    // An id comes again only after all others, so that a late queue does not find another host's controller.
    private static final int LAST_ID = 0xFFEF;

    private final String name;
    private final Limits limits;
    private final Namespace namespace;
    private final Map<Integer, Controller> controllers = new HashMap<>();
    private int lastId;

    Subsystem(String name, Limits limits, Namespace namespace) {
        this.name = name;
        this.limits = limits;
        this.namespace = namespace;
    }

    String name() {
        return name;
    }

    Limits limits() {
        return limits;
    }

    Namespace namespace() {
        return namespace;
    }

    /** Creates a controller for the host, null if there are as many as there can be. */
    @Nullable
    Controller create(ConnectData data, int keepAliveMillis) {
        if (controllers.size() == limits.controllers()) {
            return null;
        }
        do {
            lastId = lastId % LAST_ID + 1;
        } while (controllers.containsKey(lastId));
        var controller = new Controller(lastId, data.host(), limits.depth(), keepAliveMillis);
        controllers.put(lastId, controller);
        return controller;
    }

    /** Returns the controller that {@code data} names, if it is the same host's; null if there is none. */
    @Nullable
    Controller find(ConnectData data) {
        Controller controller = controllers.get(data.controllerId());
        return controller != null && controller.host().equals(data.host()) ? controller : null;
    }

    void remove(Controller controller) {
        controllers.remove(controller.id());
    }
}
