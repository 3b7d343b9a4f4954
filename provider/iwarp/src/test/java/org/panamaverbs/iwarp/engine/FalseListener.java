package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.net.Pollable;
import org.panamaverbs.iwarp.net.unix.FileMessage;
import org.panamaverbs.iwarp.net.unix.Hint;
import org.panamaverbs.iwarp.net.unix.SharedDirectory;
import org.panamaverbs.iwarp.net.unix.UnixName;
import org.panamaverbs.iwarp.net.unix.UnixSocket;
import org.panamaverbs.iwarp.wire.ShmAnswer;
import org.panamaverbs.iwarp.wire.ShmOffer;

/** A listener whose hint is there, which does as a test pleases. */
final class FalseListener implements AutoCloseable {
    final ServerSocket tcp;
    private final Pollable hint;
    private final @Nullable SharedDirectory directory;

    FalseListener() throws IOException {
        this(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    /** Listens at {@code address}, which another may have had before. */
    FalseListener(InetSocketAddress address) throws IOException {
        tcp = new ServerSocket(address.getPort(), 5, address.getAddress());
        hint = Objects.requireNonNull(Hint.bind(UnixName.ofAbstract(text(tcp))));
        directory = null;
    }

    /** Listens at {@code address}, and gives the hint in the directory at {@code path}. */
    FalseListener(InetAddress address, Path path) throws IOException {
        tcp = new ServerSocket(0, 5, address);
        SharedDirectory opened = SharedDirectory.open(path);
        opened.tell(text(tcp));
        hint = opened;
        directory = opened;
    }

    private static String text(ServerSocket tcp) {
        return "panama-verbs/1/" + tcp.getLocalPort() + "/"
                + tcp.getInetAddress().getHostAddress();
    }

    /** Goes to the place of {@code offer}. */
    UnixSocket come(ShmOffer offer) throws IOException {
        SharedDirectory shared = directory;
        assertThat(offer.nameSpace()).isEqualTo(shared == null ? ShmOffer.ABSTRACT : ShmOffer.DIRECTORY);
        return shared == null
                ? UnixSocket.connect(UnixName.ofAbstract("panama-verbs/1/" + offer.name()))
                : shared.connect(offer.name().toString());
    }

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
        for (int i = 0; i < strangers; i++) {
            UnixSocket stranger = come(offer);
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
    UnixSocket meet(Socket socket, ShmOffer offer) throws IOException {
        UnixSocket unix = come(offer);
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
