package org.panamaverbs.cli.decode.tcp;

/** What is made of one connection. */
public interface Conversation {
    /** Creates a conversation for each connection. */
    @FunctionalInterface
    interface Factory {
        /**
         * A connection was met.
         *
         * @param opener the side that opened it; where that was not captured, the side that was met first
         * @param other the other side
         * @param link where it was met
         */
        Conversation met(Endpoint opener, Endpoint other, Link link);
    }

    /** Takes what one side sends. */
    StreamSink sink(boolean fromOpener);

    /** False when nothing more of this connection is of interest. */
    boolean wanted();

    /** Nothing more will come, in either direction. Called once. */
    void finish();
}
