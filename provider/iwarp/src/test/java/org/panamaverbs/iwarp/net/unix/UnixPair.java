package org.panamaverbs.iwarp.net.unix;

import java.io.IOException;
import java.util.Objects;
import java.util.UUID;

/** Two ends of a Unix connection, at an abstract name of its own; both take files. */
record UnixPair(UnixSocket left, UnixSocket right) implements AutoCloseable {
    static UnixName name() {
        return UnixName.ofAbstract("panama-verbs-test/" + UUID.randomUUID());
    }

    static UnixPair open() throws IOException {
        UnixName name = name();
        UnixServer server = UnixServer.listen(name, 1);
        try {
            UnixPair pair = new UnixPair(UnixSocket.connect(name), Objects.requireNonNull(server.accept()));
            pair.left.takeFiles();
            pair.right.takeFiles();
            return pair;
        } finally {
            server.close();
        }
    }

    @Override
    public void close() {
        left.close();
        right.close();
    }
}
