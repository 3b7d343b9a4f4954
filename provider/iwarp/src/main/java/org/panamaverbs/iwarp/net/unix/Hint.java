package org.panamaverbs.iwarp.net.unix;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.iwarp.net.LibcDescriptor;
import org.panamaverbs.iwarp.net.SocketCalls;

/** A name that somebody has, which is all it tells: a datagram socket that is never read. Any thread. */
public final class Hint extends LibcDescriptor {
    private Hint(int descriptor) {
        super(descriptor);
    }

    /** Takes the name, until this is closed or the process ends; null if it is taken. */
    public static @Nullable Hint bind(UnixName name) throws IOException {
        int descriptor = UnixCalls.socket(Libc.SOCK_DGRAM(), name);
        boolean bound = false;
        try {
            long result = UnixCalls.bind(descriptor, name);
            if (result == -Errno.EADDRINUSE) {
                return null;
            }
            CallErrors.check("bind", name, result);
            Hint hint = new Hint(descriptor);
            bound = true;
            return hint;
        } finally {
            if (!bound) {
                SocketCalls.close(descriptor);
            }
        }
    }

    /** Tells whether somebody has the name, in this network namespace. */
    public static boolean exists(UnixName name) throws IOException {
        int descriptor = UnixCalls.socket(Libc.SOCK_DGRAM(), name);
        try {
            return UnixCalls.connect(descriptor, name) == 0;
        } finally {
            SocketCalls.close(descriptor);
        }
    }

    @Override
    public void close() {
        closeDescriptor();
    }
}
