package org.panamaverbs.sockets.channel;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import org.jspecify.annotations.Nullable;

/** The options of a channel as its adaptor has them, and its exceptions as those of sockets. */
final class AdaptedOptions {
    private static final String CLOSED = "Socket is closed";

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

    /** Returns the option of that name and type, which may be one that the JDK does not publish; null if none is. */
    @SuppressWarnings("unchecked") // its type is compared
    <T> @Nullable SocketOption<T> named(String name, Class<T> type) {
        for (SocketOption<?> each : channel.supportedOptions()) {
            if (each.name().equals(name) && each.type().equals(type)) {
                return (SocketOption<T>) each;
            }
        }
        return null;
    }

    void requireOpen() throws SocketException {
        if (!channel.isOpen()) {
            throw new SocketException(CLOSED);
        }
    }

    private static SocketException failed(IOException failure) {
        return switch (failure) {
            case SocketException told -> told;
            case ClosedChannelException closed -> failure(CLOSED, closed);
            default -> failure(String.valueOf(failure.getMessage()), failure);
        };
    }

    /** Returns what a socket throws where its channel throws {@code failure}: the same as a socket of the JDK. */
    static RuntimeException translated(RuntimeException failure) throws SocketException {
        String text = switch (failure) {
            case NotYetConnectedException e -> "Socket is not connected";
            case AlreadyBoundException e -> "Already bound";
            case AlreadyConnectedException e -> "Already connected";
            case NotYetBoundException e -> "Socket is not bound yet";
            case UnsupportedAddressTypeException e -> "Unsupported address type";
            case UnresolvedAddressException e -> "Unresolved address";
            default -> throw failure;
        };
        throw failure(text, failure);
    }

    private static SocketException failure(String text, Exception cause) {
        SocketException failure = new SocketException(text);
        failure.initCause(cause);
        return failure;
    }
}
