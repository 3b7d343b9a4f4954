package org.panamaverbs.iwarp.engine.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.net.unix.SharedDirectory;
import org.panamaverbs.iwarp.net.unix.UnixServer;
import org.panamaverbs.iwarp.net.unix.UnixSocket;
import org.panamaverbs.iwarp.wire.Octets;
import org.panamaverbs.iwarp.wire.ShmOffer;

/** A directory that both sides see, for peers whose network namespaces differ. */
final class DirectoryPlace implements MeetingPlace {
    private final SharedDirectory directory;
    private final boolean anyUser;
    private @Nullable Octets listening;

    private DirectoryPlace(SharedDirectory directory, boolean anyUser) {
        this.directory = directory;
        this.anyUser = anyUser;
    }

    /**
     * Opens the directory at {@code path}, with the remedy in the exception if it cannot be used.
     *
     * @param anyUser whether peers of other users are met
     */
    static DirectoryPlace open(Path path, boolean anyUser) throws IOException {
        return new DirectoryPlace(opened(path), anyUser);
    }

    private static SharedDirectory opened(Path path) throws IOException {
        try {
            return SharedDirectory.open(path);
        } catch (IOException e) {
            throw new IOException("shm.dir cannot be used: " + e.getMessage(), e);
        }
    }

    /**
     * Returns what tells in the directory at {@code path} of a listener at {@code address}, and of each that the system
     * has now if that is the wildcard address; not of loopback, which no other network namespace reaches.
     */
    static SharedDirectory tell(Path path, InetSocketAddress address) throws IOException {
        SharedDirectory directory = opened(path);
        boolean told = false;
        try {
            for (InetAddress each : addresses(address.getAddress())) {
                if (!each.isLoopbackAddress()) {
                    directory.tell(NetworkNamespace.text(each, address.getPort()));
                }
            }
            told = true;
            return directory;
        } finally {
            if (!told) {
                directory.close();
            }
        }
    }

    private static List<InetAddress> addresses(InetAddress address) throws IOException {
        return address.isAnyLocalAddress()
                ? NetworkInterface.networkInterfaces()
                        .flatMap(NetworkInterface::inetAddresses)
                        .toList()
                : List.of(address);
    }

    /** Removes what killed processes have left in the directory at {@code path}. */
    static void removeLeftovers(Path path) throws IOException {
        try (SharedDirectory directory = opened(path)) {
            directory.removeLeftovers();
        }
    }

    @Override
    public int nameSpace() {
        return ShmOffer.DIRECTORY;
    }

    @Override
    public boolean hasListener(InetSocketAddress address) throws IOException {
        return directory.isTold(NetworkNamespace.text(address.getAddress(), address.getPort()));
    }

    @Override
    public String nobody(InetSocketAddress address) {
        return "no listener at " + address.getAddress().getHostAddress() + " port " + address.getPort()
                + " announces itself in shm.dir " + directory;
    }

    @Override
    public UnixServer listen(Octets name, int backlog) throws IOException {
        UnixServer server = directory.listen(name.toString(), backlog, anyUser);
        listening = name;
        return server;
    }

    @Override
    public UnixSocket connect(Octets name) throws IOException {
        return directory.connect(name.toString());
    }

    @Override
    public void close() {
        try {
            Octets name = listening;
            if (name != null) {
                directory.remove(name.toString());
                listening = null;
            }
        } finally {
            directory.close();
        }
    }
}
