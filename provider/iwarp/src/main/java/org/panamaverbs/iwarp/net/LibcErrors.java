package org.panamaverbs.iwarp.net;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.libc.Libc;

/** Exceptions for error numbers: the same as NIO's, so that who handles them need not know where they come from. */
public final class LibcErrors {
    private LibcErrors() {}

    /** Returns the exception for {@code errno} of {@code call}. */
    public static IOException of(String call, int errno) {
        String words = words(errno);
        return new IOException(words.isEmpty() ? call + ": " + Errno.describe(errno) : words);
    }

    /** Returns the exception for {@code errno} of an attempt to connect. */
    public static IOException connecting(int errno) {
        String words = words(errno);
        String text = words.isEmpty() ? "connect: " + Errno.describe(errno) : words;
        if (errno == Libc.EHOSTUNREACH() || errno == Libc.ENETUNREACH()) {
            return new NoRouteToHostException(text);
        }
        return new ConnectException(text);
    }

    /** Returns the exception for {@code errno} of an attempt to bind. */
    public static IOException binding(int errno) {
        String words = words(errno);
        return new BindException(words.isEmpty() ? "bind: " + Errno.describe(errno) : words);
    }

    private static String words(int errno) {
        if (errno == Libc.ECONNRESET()) {
            return "Connection reset by peer";
        } else if (errno == Libc.EPIPE()) {
            return "Broken pipe";
        } else if (errno == Libc.ETIMEDOUT()) {
            return "Connection timed out";
        } else if (errno == Libc.ECONNREFUSED()) {
            return "Connection refused";
        } else if (errno == Libc.EHOSTUNREACH()) {
            return "No route to host";
        } else if (errno == Libc.EHOSTDOWN()) {
            return "Host is down";
        } else if (errno == Libc.ENETUNREACH()) {
            return "Network is unreachable";
        } else if (errno == Libc.EADDRINUSE()) {
            return "Address already in use";
        } else if (errno == Libc.EADDRNOTAVAIL()) {
            return "Cannot assign requested address";
        } else if (errno == Libc.EACCES()) {
            return "Permission denied";
        } else if (errno == Libc.EMFILE() || errno == Libc.ENFILE()) {
            return "Too many open files";
        }
        return "";
    }
}
