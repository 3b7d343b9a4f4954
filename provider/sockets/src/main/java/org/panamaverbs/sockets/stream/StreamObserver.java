package org.panamaverbs.sockets.stream;

/** Who is told that a stream or listener may be ready for something now. */
@FunctionalInterface
public interface StreamObserver {
    /** Is told; by any thread, under locks of the stream, so that it waits for nothing and asks nothing. */
    void changed();
}
