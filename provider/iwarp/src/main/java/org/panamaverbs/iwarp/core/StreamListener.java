package org.panamaverbs.iwarp.core;

import org.jspecify.annotations.Nullable;

/** Hears of a stream's events, in the middle of its work: must not call back into it. */
@FunctionalInterface
public interface StreamListener {
    /** Something happened; {@code fault} says why if it is an error. */
    void event(StreamEvent event, @Nullable Fault fault);
}
