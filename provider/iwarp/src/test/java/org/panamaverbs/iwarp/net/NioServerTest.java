package org.panamaverbs.iwarp.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class NioServerTest {
    @Test
    @Timeout(60)
    void connectionThatIsGoneAsItIsAcceptedDoesNotHideTheNext() throws IOException {
        try (ServerSocketChannel channel = ServerSocketChannel.open()) {
            channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            var address = (InetSocketAddress) channel.getLocalAddress();
            try (Socket gone = new Socket(address.getAddress(), address.getPort());
                    Socket next = new Socket(address.getAddress(), address.getPort())) {
                NioSockets.Server server = new NioSockets.Server(new FirstIsGone(channel));
                TcpSocket accepted = Objects.requireNonNull(server.accept());
                assertThat(accepted.remoteAddress()).isEqualTo(next.getLocalSocketAddress());
                accepted.close();
                assertThat(gone.getInputStream().read()).isEqualTo(-1);
            }
        }
    }

    /**
     * A channel whose first connection is closed when it is accepted: options of it cannot be set, which some systems
     * answer for one that was reset. Linux says so later.
     */
    private static final class FirstIsGone extends ServerSocketChannel {
        private final ServerSocketChannel real;
        private boolean first = true;

        FirstIsGone(ServerSocketChannel real) {
            super(real.provider());
            this.real = real;
        }

        @Override
        public SocketChannel accept() throws IOException {
            SocketChannel accepted = real.accept();
            if (first) {
                first = false;
                accepted.close();
            }
            return accepted;
        }

        @Override
        public ServerSocketChannel bind(SocketAddress local, int backlog) throws IOException {
            return real.bind(local, backlog);
        }

        @Override
        public <T> ServerSocketChannel setOption(SocketOption<T> name, T value) throws IOException {
            return real.setOption(name, value);
        }

        @Override
        public <T> T getOption(SocketOption<T> name) throws IOException {
            return real.getOption(name);
        }

        @Override
        public Set<SocketOption<?>> supportedOptions() {
            return real.supportedOptions();
        }

        @Override
        public ServerSocket socket() {
            return real.socket();
        }

        @Override
        public SocketAddress getLocalAddress() throws IOException {
            return real.getLocalAddress();
        }

        @Override
        protected void implCloseSelectableChannel() throws IOException {
            real.close();
        }

        @Override
        protected void implConfigureBlocking(boolean block) throws IOException {
            real.configureBlocking(block);
        }
    }
}
