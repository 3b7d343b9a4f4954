package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.panamaverbs.iwarp.net.unix.FileMessage;
import org.panamaverbs.iwarp.net.unix.Hint;
import org.panamaverbs.iwarp.net.unix.UnixName;
import org.panamaverbs.iwarp.net.unix.UnixSocket;
import org.panamaverbs.iwarp.wire.ShmAnswer;
import org.panamaverbs.iwarp.wire.ShmOffer;

/** A listener whose hint is there, which does as a test pleases. */
final class FalseListener implements AutoCloseable {
    final ServerSocket tcp = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    final Hint hint = Objects.requireNonNull(
            Hint.bind(UnixName.ofAbstract("panama-verbs/1/" + tcp.getLocalPort() + "/127.0.0.1")));

    FalseListener() throws IOException {}

    InetSocketAddress address() {
        return (InetSocketAddress) tcp.getLocalSocketAddress();
    }

    /** Takes the next connection, and its Offer. */
    Socket offered() throws IOException {
        Socket socket = tcp.accept();
        assertThat(socket.getInputStream().readNBytes(ShmOffer.BYTES)).hasSize(ShmOffer.BYTES);
        return socket;
    }

    /**
     * Takes the next connection and goes to the place of its Offer, behind {@code strangers} who have not the token;
     * returns the Unix connection when it has answered that it came.
     */
    UnixSocket meet(Socket socket, int strangers) throws IOException {
        ShmOffer offer = offer(socket);
        UnixName name = UnixName.ofAbstract("panama-verbs/1/" + offer.name());
        for (int i = 0; i < strangers; i++) {
            UnixSocket stranger = UnixSocket.connect(name);
            stranger.send(ByteBuffer.allocate(ShmOffer.NAME_BYTES));
            stranger.close();
        }
        return meet(socket, offer);
    }

    /** Takes the Offer of a connection. */
    static ShmOffer offer(Socket socket) throws IOException {
        return Objects.requireNonNull(
                ShmOffer.parse(ByteBuffer.wrap(socket.getInputStream().readNBytes(ShmOffer.BYTES))));
    }

    /** Goes to the place of {@code offer}, shows the token, and answers that it came. */
    static UnixSocket meet(Socket socket, ShmOffer offer) throws IOException {
        UnixName name = UnixName.ofAbstract("panama-verbs/1/" + offer.name());
        UnixSocket unix = UnixSocket.connect(name);
        unix.takeFiles();
        unix.send(ByteBuffer.wrap(offer.token().toByteArray()));
        socket.getOutputStream()
                .write(new ShmAnswer(ShmOffer.VERSION, ShmAnswer.Outcome.TAKEN)
                        .encode()
                        .array());
        return unix;
    }

    /** Waits for the file of the initiator. */
    static void awaitFile(UnixSocket unix) throws IOException {
        ByteBuffer size = ByteBuffer.allocate(Long.BYTES);
        while (size.hasRemaining()) {
            try (FileMessage message = unix.receiveWithFile(size)) {
                assertThat(message.octets()).isNotNegative();
            }
        }
    }

    @Override
    public void close() throws IOException {
        hint.close();
        tcp.close();
    }
}
