package org.panamaverbs.sockets.contract;

import static org.panamaverbs.sockets.contract.Trial.nonBlocking;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** Every state of a channel that listens, and what every operation does in it. */
@SuppressWarnings("ReferenceEquality") // the contract names the object that is returned
final class ListenerCases {
    private ListenerCases() {}

    private interface Start {
        ServerSocketChannel in(Trial trial) throws Exception;
    }

    private record State(String name, Start start) {}

    private interface Operations {
        void on(Trial trial, ServerSocketChannel listener) throws Exception;
    }

    private record Group(String name, Operations operations) {}

    private static final List<State> STATES = List.of(
            new State("fresh", Trial::unbound),
            new State("fresh non-blocking", trial -> nonBlocking(trial.unbound())),
            new State("bound", ListenerCases::bound),
            new State("bound non-blocking", trial -> nonBlocking(bound(trial))),
            new State("closed", trial -> {
                ServerSocketChannel listener = trial.unbound();
                listener.close();
                return listener;
            }),
            new State("closed after it was bound", trial -> {
                ServerSocketChannel listener = bound(trial);
                listener.close();
                return listener;
            }));

    private static ServerSocketChannel bound(Trial trial) throws Exception {
        return trial.unbound().bind(Trial.anyPort());
    }

    private static final List<Group> GROUPS = List.of(
            new Group("accept", (trial, listener) -> {
                connectIfBound(trial, listener);
                trial.op("accept", () -> {
                    SocketChannel accepted = listener.accept();
                    return accepted == null || trial.closing(accepted).isConnected();
                });
                note(trial, listener);
            }),
            new Group("bind", (trial, listener) -> {
                trial.op("Unix", () -> listener.bind(UnixDomainSocketAddress.of("/none")));
                trial.op("unresolved", () -> listener.bind(InetSocketAddress.createUnresolved("nowhere", 1)));
                trial.op("any", () -> listener.bind(Trial.anyPort(), -1) == listener);
                trial.op("again", () -> listener.bind(null) == listener);
                trial.op("local", () -> listener.getLocalAddress() != null);
                note(trial, listener);
            }),
            new Group("options", (trial, listener) -> {
                trial.op("reuse", () -> listener.getOption(StandardSocketOptions.SO_REUSEADDR));
                trial.op("no reuse", () -> listener.setOption(StandardSocketOptions.SO_REUSEADDR, false) == listener);
                trial.op("reuse", () -> listener.getOption(StandardSocketOptions.SO_REUSEADDR));
                trial.op("none of its own", () -> listener.getOption(StandardSocketOptions.TCP_NODELAY));
                trial.op("set none", () -> listener.setOption(StandardSocketOptions.TCP_NODELAY, true));
                trial.op("null", () -> listener.setOption(StandardSocketOptions.SO_REUSEADDR, null));
                trial.op("no option", () -> listener.getOption(null));
            }),
            new Group("blocking mode", (trial, listener) -> {
                Selector selector = trial.selector();
                trial.note("valid " + Trial.ops(listener.validOps()));
                trial.op(
                        "register",
                        () -> listener.register(selector, SelectionKey.OP_ACCEPT)
                                .isValid());
                trial.op("non-blocking", () -> listener.configureBlocking(false) == listener);
                trial.op("to read", () -> listener.register(selector, SelectionKey.OP_READ));
                trial.op(
                        "register",
                        () -> listener.register(selector, SelectionKey.OP_ACCEPT)
                                .isValid());
                trial.op("select", selector::selectNow);
                trial.op("blocking", () -> listener.configureBlocking(true));
                note(trial, listener);
            }),
            new Group("the socket's questions", (trial, listener) -> {
                ServerSocket socket = listener.socket();
                trial.note("bound " + socket.isBound() + " closed " + socket.isClosed());
                trial.note("port " + Integer.signum(socket.getLocalPort()));
                trial.op("address", socket::getInetAddress);
                trial.op("local", () -> socket.getLocalSocketAddress() != null);
                trial.op("the channel's", () -> socket.getChannel() == listener && listener.socket() == socket);
            }),
            new Group("the socket's options", (trial, listener) -> {
                ServerSocket socket = listener.socket();
                set(trial, "timeout", () -> socket.setSoTimeout(5));
                trial.op("timeout", socket::getSoTimeout);
                set(trial, "negative timeout", () -> socket.setSoTimeout(-1));
                set(trial, "reuse", () -> socket.setReuseAddress(true));
                trial.op("reuse", socket::getReuseAddress);
                set(trial, "no buffer", () -> socket.setReceiveBufferSize(0));
                set(trial, "buffer", () -> socket.setReceiveBufferSize(20_000));
                trial.op("buffer", () -> socket.getReceiveBufferSize() >= 20_000);
                trial.op("options", () -> socket.supportedOptions().equals(listener.supportedOptions()));
            }),
            new Group("the socket's accepting", (trial, listener) -> {
                ServerSocket socket = listener.socket();
                connectIfBound(trial, listener);
                trial.op("accept", () -> trial.closing(socket.accept()).isConnected());
                set(trial, "timeout", () -> socket.setSoTimeout(5));
                trial.op("accept in time", socket::accept);
                note(trial, listener);
            }),
            new Group("the socket's binding", (trial, listener) -> {
                ServerSocket socket = listener.socket();
                set(trial, "Unix", () -> socket.bind(UnixDomainSocketAddress.of("/none")));
                set(trial, "any", () -> socket.bind(null));
                set(trial, "again", () -> socket.bind(Trial.anyPort(), 3));
                set(trial, "close", socket::close);
                note(trial, listener);
            }),
            new Group("close", (trial, listener) -> {
                set(trial, "close", listener::close);
                set(trial, "again", listener::close);
                trial.op("local", listener::getLocalAddress);
                trial.op("accept", listener::accept);
                note(trial, listener);
            }));

    /** Has a channel of the JDK's or ours wait to be accepted, if somebody listens. */
    private static void connectIfBound(Trial trial, ServerSocketChannel listener) throws Exception {
        if (listener.isOpen() && listener.getLocalAddress() != null) {
            trial.channel().connect(listener.getLocalAddress());
            if (!listener.isBlocking()) {
                Selector selector = trial.selector();
                SelectionKey key = listener.register(selector, SelectionKey.OP_ACCEPT);
                Trial.select(selector, key, SelectionKey.OP_ACCEPT);
            }
        }
    }

    private static void note(Trial trial, ServerSocketChannel listener) {
        trial.note("open " + listener.isOpen() + " blocking " + listener.isBlocking() + " registered "
                + listener.isRegistered());
    }

    private static void set(Trial trial, String name, ChannelCases.Setting setting) {
        ChannelCases.set(trial, name, setting);
    }

    static List<Case> all() {
        List<Case> all = new ArrayList<>();
        for (State state : STATES) {
            for (Group group : GROUPS) {
                all.add(new Case(
                        "listener, " + state.name + ": " + group.name,
                        trial -> group.operations.on(trial, state.start.in(trial))));
            }
        }
        all.add(new Case("listener: a port that is taken", trial -> {
            var address = bound(trial).getLocalAddress();
            ServerSocketChannel second = trial.unbound();
            trial.op("bind", () -> second.bind(address));
            note(trial, second);
            trial.op("local", second::getLocalAddress);
            trial.op("another", () -> second.bind(Trial.anyPort()) == second);
        }));
        all.add(new Case("listener: a foreign address", trial -> {
            InetSocketAddress foreign = new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 0);
            trial.op("bind", () -> trial.unbound().bind(foreign));
            trial.op("socket", () -> {
                trial.unbound().socket().bind(foreign);
                return "bound";
            });
        }));
        all.add(new Case("listener: the port is free after close", trial -> {
            ServerSocketChannel listener = bound(trial);
            var address = listener.getLocalAddress();
            listener.close();
            trial.op("bind", () -> trial.unbound().bind(address) != null);
        }));
        all.add(new Case("listener: closed with one that was not accepted", trial -> {
            ServerSocketChannel listener = bound(trial);
            SocketChannel client = trial.channel();
            client.connect(listener.getLocalAddress());
            listener.close();
            trial.op("read", () -> client.read(Trial.octets(1)));
            trial.state(client);
        }));
        all.add(new Case("listener: any port at any address", trial -> {
            ServerSocketChannel listener = trial.unbound().bind(null);
            InetSocketAddress local = (InetSocketAddress) listener.getLocalAddress();
            trial.note(local.getAddress() + " " + (local.getPort() > 0));
            SocketChannel client = trial.channel();
            trial.op("IPv4", () -> client.connect(literal("127.0.0.1", local.getPort())));
            trial.op("remote", () -> trial.closing(listener.accept()).getRemoteAddress());
            SocketChannel second = trial.channel();
            trial.op("IPv6", () -> second.connect(literal("::1", local.getPort())));
            trial.op("remote", () -> trial.closing(listener.accept()).getRemoteAddress());
        }));
        all.add(new Case("listener of INET: heard over IPv4 alone", trial -> {
            ServerSocketChannel listener =
                    trial.closing(trial.provider().openServerSocketChannel(StandardProtocolFamily.INET));
            listener.bind(null);
            InetSocketAddress local = (InetSocketAddress) listener.getLocalAddress();
            trial.note(local.getAddress());
            SocketChannel second = trial.channel();
            trial.op("IPv6", () -> second.connect(literal("::1", local.getPort())));
            SocketChannel client = trial.channel();
            trial.op("IPv4", () -> client.connect(literal("127.0.0.1", local.getPort())));
            trial.op("accepted", () -> trial.closing(listener.accept()).getLocalAddress());
        }));
        all.add(new Case("listener: many wait to be accepted", trial -> {
            ServerSocketChannel listener = trial.unbound().bind(Trial.anyPort(), 8);
            for (int i = 0; i < 5; i++) {
                trial.channel().connect(listener.getLocalAddress());
            }
            for (int i = 0; i < 5; i++) {
                trial.op("accept", () -> trial.closing(listener.accept()).isConnected());
            }
        }));
        all.add(new Case("listener: what is accepted blocks", trial -> {
            ServerSocketChannel listener = nonBlocking(bound(trial));
            connectIfBound(trial, listener);
            SocketChannel accepted = trial.closing(listener.accept());
            trial.state(accepted);
            trial.op("address", () -> accepted.getLocalAddress().equals(listener.getLocalAddress()));
            trial.op("again", listener::accept);
        }));
        return all;
    }

    @SuppressWarnings("AddressSelection") // a literal is one address
    private static InetSocketAddress literal(String address, int port) {
        return new InetSocketAddress(address, port);
    }
}
