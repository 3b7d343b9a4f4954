package org.panamaverbs.iwarp.engine;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.net.unix.SealedFile;
import org.panamaverbs.iwarp.net.unix.SharedDirectory;
import org.panamaverbs.iwarp.net.unix.UnixSocket;
import org.panamaverbs.iwarp.shm.RingLayout;
import org.panamaverbs.iwarp.shm.RingPair;

/**
 * The other process of {@link KilledSetupTest}: sets shared memory up to a step, says so, and sits until it is killed.
 */
final class SetupStep {
    /** How far an initiator goes. */
    enum Initiator {
        CONNECTED,
        OFFERED,
        MET,
        FILE_SENT,
        FILE_RECEIVED,
        TAKEN,
        ASKED
    }

    /** How far a listener goes. */
    enum Responder {
        ACCEPTED,
        OFFER_READ,
        MET,
        FILE_RECEIVED,
        FILE_SENT,
        TAKEN
    }

    private SetupStep() {}

    /**
     * Takes the port to connect to, 0 to listen, and the step; with an address, a directory and another address behind
     * them, the peer is at the first address, or this one, they meet in the directory, and this one connects from the
     * other address.
     */
    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(arguments[0]);
        boolean apart = arguments.length > 2;
        InetAddress address = apart ? InetAddress.getByName(arguments[2]) : Raw.ANY_PORT.getAddress();
        if (port == 0) {
            try (FalseListener listener =
                    apart ? new FalseListener(address, Path.of(arguments[3])) : new FalseListener()) {
                listen(listener, Responder.valueOf(arguments[1]));
            }
        } else {
            Initiator last = Initiator.valueOf(arguments[1]);
            InetSocketAddress to = new InetSocketAddress(address, port);
            if (apart) {
                try (SharedDirectory directory = SharedDirectory.open(Path.of(arguments[3]))) {
                    connect(to, last, arguments[4], directory);
                }
            } else {
                connect(to, last, "127.0.0.1", null);
            }
        }
    }

    private static void sit() throws IOException {
        System.out.println("sits");
        System.in.read();
    }

    private static void connect(
            InetSocketAddress address, Initiator last, String from, @Nullable SharedDirectory directory)
            throws IOException {
        if (last == Initiator.CONNECTED) {
            try (Socket socket = Raw.connect(address, from)) {
                sit();
                socket.getInputStream().read();
            }
            return;
        }
        try (OfferingPeer peer = directory == null
                ? new OfferingPeer(address, from, 1, true)
                : OfferingPeer.in(directory, address, from)) {
            if (last.compareTo(Initiator.MET) >= 0) {
                peer.meet();
            }
            if (last.compareTo(Initiator.FILE_SENT) >= 0) {
                peer.sendFile();
            }
            RingPair rings = last.compareTo(Initiator.FILE_RECEIVED) >= 0 ? peer.receiveFile() : null;
            if (last.compareTo(Initiator.TAKEN) >= 0) {
                peer.take();
            }
            if (last == Initiator.ASKED && rings != null) {
                peer.ask(rings);
            }
            sit();
        }
    }

    private static void listen(FalseListener listener, Responder last) throws IOException {
        System.out.println("port=" + listener.address().getPort());
        try (Socket socket = last == Responder.OFFER_READ ? listener.offered() : listener.tcp.accept();
                SealedFile file = SealedFile.create("panama-verbs", RingLayout.fileBytes(65_536))) {
            if (last.compareTo(Responder.MET) >= 0) {
                goOn(listener, socket, file, last);
            }
            sit();
        }
    }

    private static void goOn(FalseListener listener, Socket socket, SealedFile file, Responder last)
            throws IOException {
        UnixSocket unix = listener.meet(socket, 0);
        if (last.compareTo(Responder.FILE_RECEIVED) >= 0) {
            FalseListener.awaitFile(unix);
        }
        if (last.compareTo(Responder.FILE_SENT) >= 0) {
            RingLayout.format(file.memory(), 65_536);
            unix.send(OfferingPeer.size(file.memory().byteSize()), file);
        }
        if (last == Responder.TAKEN) {
            ByteBuffer taken = ByteBuffer.allocate(1);
            while (taken.hasRemaining()) {
                unix.receive(taken);
            }
        }
    }
}
