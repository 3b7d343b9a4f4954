package org.panamaverbs.iwarp.net;

import java.io.IOException;
import java.nio.channels.Channel;
import java.nio.channels.SelectableChannel;
import org.panamaverbs.spi.support.DeferredLog;

/** What NIO has behind a socket. */
interface NioChannel extends Pollable {
    /** Returns the channel. */
    SelectableChannel channel();

    /** Closes {@code channel}; what goes wrong with that is only logged. */
    static void close(Channel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            DeferredLog.log(NioChannel.class, System.Logger.Level.DEBUG, "a channel did not close cleanly", e);
        }
    }
}
