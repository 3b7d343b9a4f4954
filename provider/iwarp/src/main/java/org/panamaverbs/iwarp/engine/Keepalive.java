package org.panamaverbs.iwarp.engine;

import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;

/**
 * How TCP finds out that an idle peer is gone (RFC 9293 §3.8.4). Where the system does not let the times be set, its
 * own apply.
 *
 * @param enabled whether it does
 * @param idleSeconds after how long a silence it asks, from 1
 * @param intervalSeconds how often it asks, from 1
 * @param count how many times it asks, from 1
 */
record Keepalive(boolean enabled, int idleSeconds, int intervalSeconds, int count) {
    /** Sets it for {@code channel}. */
    void apply(SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, enabled);
        if (enabled) {
            set(channel, ExtendedSocketOptions.TCP_KEEPIDLE, idleSeconds);
            set(channel, ExtendedSocketOptions.TCP_KEEPINTERVAL, intervalSeconds);
            set(channel, ExtendedSocketOptions.TCP_KEEPCOUNT, count);
        }
    }

    private static void set(SocketChannel channel, SocketOption<Integer> option, int value) throws IOException {
        if (channel.supportedOptions().contains(option)) {
            channel.setOption(option, value);
        }
    }
}
