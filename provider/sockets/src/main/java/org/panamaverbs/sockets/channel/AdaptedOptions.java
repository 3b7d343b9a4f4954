package org.panamaverbs.sockets.channel;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;

/** The options of a channel as its adaptor has them, with the exceptions of sockets. */
final class AdaptedOptions {
    private final NetworkChannel channel;

    AdaptedOptions(NetworkChannel channel) {
        this.channel = channel;
    }

    <T> void set(SocketOption<T> option, T value) throws SocketException {
        try {
            channel.setOption(option, value);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Sets the size of a buffer, which is positive. */
    void setSize(SocketOption<Integer> option, int size) throws SocketException {
        if (size <= 0) {
            throw new IllegalArgumentException("Invalid size: " + size);
        }
        set(option, size);
    }

    <T> T get(SocketOption<T> option) throws SocketException {
        try {
            return channel.getOption(option);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    void requireOpen() throws SocketException {
        if (!channel.isOpen()) {
            throw new SocketException("Socket is closed");
        }
    }

    private static SocketException failed(IOException failure) {
        return switch (failure) {
            case SocketException told -> told;
            case ClosedChannelException closed -> failure("Socket is closed", closed);
            default -> failure(String.valueOf(failure.getMessage()), failure);
        };
    }

    /** Returns what a socket throws for {@code cause}. */
    static SocketException failure(String text, Exception cause) {
        SocketException failure = new SocketException(text);
        failure.initCause(cause);
        return failure;
    }
}
