package org.panamaverbs.iwarp.core;

/** Where incoming messages find their receives: a queue pair's own ring, or a shared receive queue. */
public interface ReceiveSource {
    /** Moves the oldest posted receive into {@code slot}; false if there is none. */
    boolean take(ReceiveSlot slot);
}
