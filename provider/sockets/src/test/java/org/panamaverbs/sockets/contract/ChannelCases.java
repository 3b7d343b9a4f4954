package org.panamaverbs.sockets.contract;

import static org.panamaverbs.sockets.contract.Trial.nonBlocking;
import static org.panamaverbs.sockets.contract.Trial.octets;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** Every state of a channel that connects, and what every operation does in it. */
@SuppressWarnings("ReferenceEquality") // the contract names the object that is returned
final class ChannelCases {
    private ChannelCases() {}

    /** A channel in a state. */
    private interface Start {
        SocketChannel in(Trial trial) throws Exception;
    }

    private record State(String name, Start start) {}

    /** Operations on a channel, which are recorded. */
    private interface Operations {
        void on(Trial trial, SocketChannel channel) throws Exception;
    }

    private record Group(String name, Operations operations) {}

    private static final List<State> STATES = List.of(
            new State("fresh", Trial::channel),
            new State("fresh non-blocking", trial -> nonBlocking(trial.channel())),
            new State("bound", trial -> trial.channel().bind(Trial.anyPort())),
            new State("pending", trial -> {
                SocketChannel channel = nonBlocking(trial.channel());
                channel.connect(trial.nowhere());
                return channel;
            }),
            new State("connected", ChannelCases::withInput),
            new State("connected non-blocking", trial -> nonBlocking(withInput(trial))),
            new State("idle non-blocking", trial -> nonBlocking(trial.pair().client())),
            new State("accepted", trial -> {
                Trial.Pair pair = trial.pair();
                pair.client().write(octets(4));
                trial.awaitReadable(pair.server());
                return pair.server();
            }),
            new State("input shut", trial -> trial.pair().client().shutdownInput()),
            new State("output shut", trial -> withInput(trial).shutdownOutput()),
            new State(
                    "both shut", trial -> trial.pair().client().shutdownInput().shutdownOutput()),
            new State("peer's output shut", trial -> {
                Trial.Pair pair = trial.pair();
                pair.server().shutdownOutput();
                trial.awaitReadable(pair.client());
                return pair.client();
            }),
            new State("peer reset", trial -> {
                Trial.Pair pair = trial.pair();
                Trial.abort(pair.server());
                trial.awaitReadable(pair.client());
                return pair.client();
            }),
            new State("closed", trial -> {
                SocketChannel channel = trial.channel();
                channel.close();
                return channel;
            }),
            new State("closed after it was connected", trial -> {
                SocketChannel channel = trial.pair().client();
                channel.close();
                return channel;
            }));

    private static SocketChannel withInput(Trial trial) throws Exception {
        Trial.Pair pair = trial.pair();
        pair.server().write(octets(4));
        trial.awaitReadable(pair.client());
        return pair.client();
    }

    private static final List<Group> GROUPS = List.of(
            new Group("connect", (trial, channel) -> {
                var address = trial.listener().getLocalAddress();
                trial.op("connect", () -> channel.connect(address));
                trial.state(channel);
            }),
            new Group("connect to what is none", (trial, channel) -> {
                trial.op("null", () -> channel.connect(null));
                trial.op("unresolved", () -> channel.connect(InetSocketAddress.createUnresolved("nowhere", 1)));
                trial.op("Unix", () -> channel.connect(UnixDomainSocketAddress.of("/none")));
                trial.state(channel);
            }),
            new Group("finishConnect", (trial, channel) -> {
                trial.op("finishConnect", channel::finishConnect);
                trial.state(channel);
            }),
            new Group("bind", (trial, channel) -> {
                trial.op("Unix", () -> channel.bind(UnixDomainSocketAddress.of("/none")));
                trial.op("unresolved", () -> channel.bind(InetSocketAddress.createUnresolved("nowhere", 1)));
                trial.op("any port", () -> channel.bind(Trial.anyPort()) == channel);
                trial.op("again", () -> channel.bind(null) == channel);
                trial.op("local", () -> channel.getLocalAddress() != null);
                trial.state(channel);
            }),
            new Group("read", (trial, channel) -> {
                trial.op("null", () -> channel.read((ByteBuffer) null));
                trial.op("read-only", () -> channel.read(octets(1).asReadOnlyBuffer()));
                ByteBuffer target = ByteBuffer.allocate(4);
                trial.op("read", () -> channel.read(target.limit(2)));
                trial.note("position " + target.position());
                trial.op("read into nothing", () -> channel.read(ByteBuffer.allocate(0)));
            }),
            new Group("scattering read", (trial, channel) -> {
                ByteBuffer[] targets = {ByteBuffer.allocate(1), ByteBuffer.allocate(0), ByteBuffer.allocate(1)};
                trial.op("outside", () -> channel.read(targets, 1, 3));
                trial.op("negative", () -> channel.read(targets, -1, 1));
                trial.op("null", () -> channel.read(null, 0, 0));
                trial.op("read", () -> channel.read(targets));
                trial.note("positions " + targets[0].position() + " " + targets[2].position());
                trial.op("none of them", () -> channel.read(targets, 0, 0));
                trial.op(
                        "a read-only one",
                        () -> channel.read(new ByteBuffer[] {octets(1).asReadOnlyBuffer()}));
            }),
            new Group("write", (trial, channel) -> {
                trial.op("null", () -> channel.write((ByteBuffer) null));
                ByteBuffer source = octets(3);
                trial.op("write", () -> channel.write(source));
                trial.note("position " + source.position());
                trial.op("nothing", () -> channel.write(ByteBuffer.allocate(0)));
                trial.op("read-only", () -> channel.write(octets(1).asReadOnlyBuffer()));
            }),
            new Group("gathering write", (trial, channel) -> {
                ByteBuffer[] sources = {octets(1), octets(0), octets(2)};
                trial.op("outside", () -> channel.write(sources, 2, 2));
                trial.op("null", () -> channel.write(null, 0, 0));
                trial.op("write", () -> channel.write(sources));
                trial.note("positions " + sources[0].position() + " " + sources[2].position());
                trial.op("again", () -> channel.write(sources));
                trial.op("null among them", () -> channel.write(new ByteBuffer[] {octets(1), null}));
            }),
            new Group("shutdown", (trial, channel) -> {
                trial.op("input", () -> channel.shutdownInput() == channel);
                trial.op("output", () -> channel.shutdownOutput() == channel);
                trial.op("output again", () -> channel.shutdownOutput() == channel);
                trial.op("write", () -> channel.write(octets(1)));
                trial.op("read", () -> channel.read(ByteBuffer.allocate(1)));
                trial.state(channel);
            }),
            new Group("what is asked", (trial, channel) -> {
                trial.state(channel);
                trial.note("valid " + Trial.ops(channel.validOps()));
                trial.op("local", () -> host(channel.getLocalAddress()));
                trial.op("remote", () -> host(channel.getRemoteAddress()));
                trial.op("options", () -> channel.supportedOptions().contains(StandardSocketOptions.TCP_NODELAY));
                trial.op("lock", () -> channel.blockingLock() != null);
                var socket = channel.socket();
                trial.op("the same socket", () -> channel.socket() == socket);
                trial.op("the channel's", () -> channel.socket().getChannel() == channel);
            }),
            new Group("blocking mode", (trial, channel) -> {
                Selector selector = trial.selector();
                trial.op(
                        "register",
                        () -> channel.register(selector, SelectionKey.OP_READ).isValid());
                trial.op("non-blocking", () -> channel.configureBlocking(false) == channel);
                trial.op(
                        "register",
                        () -> channel.register(selector, SelectionKey.OP_READ).isValid());
                trial.op("to accept", () -> channel.register(selector, SelectionKey.OP_ACCEPT));
                trial.op("blocking", () -> channel.configureBlocking(true));
                trial.op("key", () -> channel.keyFor(selector) != null);
                trial.state(channel);
            }),
            new Group("options", (trial, channel) -> {
                trial.op("get", () -> channel.getOption(StandardSocketOptions.TCP_NODELAY));
                trial.op("set", () -> channel.setOption(StandardSocketOptions.TCP_NODELAY, true) == channel);
                trial.op("get", () -> channel.getOption(StandardSocketOptions.TCP_NODELAY));
                trial.op("set null", () -> channel.setOption(StandardSocketOptions.TCP_NODELAY, null));
                trial.op("none of its own", () -> channel.getOption(StandardSocketOptions.IP_MULTICAST_TTL));
                trial.op("no option", () -> channel.setOption(null, true));
                trial.op("get none", () -> channel.getOption(null));
            }),
            new Group("close", (trial, channel) -> {
                trial.op("close", () -> {
                    channel.close();
                    return "closed";
                });
                trial.op("again", () -> {
                    channel.close();
                    return "closed";
                });
                trial.state(channel);
                trial.op("read", () -> channel.read(ByteBuffer.allocate(1)));
                trial.op("local", channel::getLocalAddress);
            }),
            new Group("the socket's questions", (trial, channel) -> {
                Socket socket = channel.socket();
                trial.note("connected " + socket.isConnected() + " bound " + socket.isBound() + " closed "
                        + socket.isClosed() + " in " + socket.isInputShutdown() + " out " + socket.isOutputShutdown());
                trial.note("port " + (socket.getPort() > 0) + " local " + Integer.signum(socket.getLocalPort()));
                trial.op("address", socket::getInetAddress);
                trial.op("local", socket::getLocalAddress);
                trial.op("remote", () -> host(socket.getRemoteSocketAddress()));
                trial.op("local", () -> host(socket.getLocalSocketAddress()));
            }),
            new Group("the socket's streams", (trial, channel) -> {
                Socket socket = channel.socket();
                trial.op("available", () -> socket.getInputStream().available());
                trial.op("read", () -> socket.getInputStream().read());
                trial.op("read none", () -> socket.getInputStream().read(new byte[1], 0, 0));
                trial.op("outside", () -> socket.getInputStream().read(new byte[1], 1, 1));
                trial.op("write", () -> {
                    socket.getOutputStream().write(7);
                    return "written";
                });
                trial.op("outside", () -> {
                    socket.getOutputStream().write(new byte[1], 1, 1);
                    return "written";
                });
            }),
            new Group("the socket's options", (trial, channel) -> {
                Socket socket = channel.socket();
                set(trial, "timeout", () -> socket.setSoTimeout(5));
                trial.op("timeout", socket::getSoTimeout);
                set(trial, "negative timeout", () -> socket.setSoTimeout(-1));
                set(trial, "no delay", () -> socket.setTcpNoDelay(true));
                trial.op("no delay", socket::getTcpNoDelay);
                set(trial, "linger", () -> socket.setSoLinger(true, 3));
                trial.op("linger", socket::getSoLinger);
                set(trial, "negative linger", () -> socket.setSoLinger(true, -1));
                set(trial, "no linger", () -> socket.setSoLinger(false, 7));
                trial.op("linger", socket::getSoLinger);
                set(trial, "keepalive", () -> socket.setKeepAlive(true));
                trial.op("keepalive", socket::getKeepAlive);
                set(trial, "out of band", () -> socket.setOOBInline(true));
                trial.op("out of band", socket::getOOBInline);
                set(trial, "traffic class", () -> socket.setTrafficClass(8));
                trial.op("traffic class", socket::getTrafficClass);
                set(trial, "no traffic class", () -> socket.setTrafficClass(256));
                set(trial, "no send buffer", () -> socket.setSendBufferSize(0));
                set(trial, "no receive buffer", () -> socket.setReceiveBufferSize(0));
                set(trial, "reuse", () -> socket.setReuseAddress(true));
                trial.op("reuse", socket::getReuseAddress);
                set(trial, "preferences", () -> socket.setPerformancePreferences(1, 2, 3));
            }),
            new Group("the socket's connecting", (trial, channel) -> {
                Socket socket = channel.socket();
                set(trial, "null", () -> socket.connect(null));
                set(trial, "negative", () -> socket.connect(Trial.anyPort(), -1));
                set(trial, "Unix", () -> socket.connect(UnixDomainSocketAddress.of("/none")));
                var address = trial.listener().getLocalAddress();
                set(trial, "in time", () -> socket.connect(address, 20_000));
                trial.state(channel);
            }),
            new Group("the socket's binding and ends", (trial, channel) -> {
                Socket socket = channel.socket();
                set(trial, "Unix", () -> socket.bind(UnixDomainSocketAddress.of("/none")));
                set(trial, "bind", () -> socket.bind(Trial.anyPort()));
                set(trial, "bind to any", () -> socket.bind(null));
                set(trial, "input", socket::shutdownInput);
                set(trial, "output", socket::shutdownOutput);
                trial.op("input", socket::getInputStream);
                trial.op("output", socket::getOutputStream);
                set(trial, "close", socket::close);
                trial.note("closed " + socket.isClosed() + " " + channel.isOpen());
            }));

    /** An operation without a result. */
    interface Setting {
        void set() throws Exception;
    }

    static void set(Trial trial, String name, Setting setting) {
        trial.op(name, () -> {
            setting.set();
            return "done";
        });
    }

    private static Object host(Object address) {
        return address == null ? "none" : ((InetSocketAddress) address).getAddress();
    }

    static List<Case> all() {
        List<Case> all = new ArrayList<>();
        for (State state : STATES) {
            for (Group group : GROUPS) {
                all.add(new Case(
                        "channel, " + state.name + ": " + group.name,
                        trial -> group.operations.on(trial, state.start.in(trial))));
            }
        }
        all.add(new Case("channel: refused", trial -> {
            SocketChannel channel = trial.channel();
            InetSocketAddress nobody = trial.nobody();
            trial.op("connect", () -> channel.connect(nobody));
            trial.state(channel);
        }));
        all.add(new Case("channel: refused without waiting", trial -> {
            SocketChannel channel = nonBlocking(trial.channel());
            InetSocketAddress nobody = trial.nobody();
            trial.op("connect", () -> channel.connect(nobody));
            trial.op("finish", () -> {
                long begun = System.nanoTime();
                while (!channel.finishConnect()) {
                    Trial.requireTime(begun);
                }
                return "connected";
            });
            trial.state(channel);
        }));
        all.add(new Case("channel: connected without waiting", trial -> {
            SocketChannel channel = nonBlocking(trial.channel());
            var address = trial.listener().getLocalAddress();
            trial.op("connect", () -> channel.connect(address));
            trial.state(channel);
            trial.op("remote", () -> host(channel.getRemoteAddress()));
            trial.note("its socket's " + host(channel.socket().getRemoteSocketAddress()));
            trial.note("its socket is connected " + channel.socket().isConnected());
            long begun = System.nanoTime();
            while (!channel.finishConnect()) {
                Trial.requireTime(begun);
            }
            trial.state(channel);
            trial.op("again", channel::finishConnect);
            trial.op("local", () -> host(channel.getLocalAddress()));
        }));
        all.add(new Case("channel: in time, where nobody answers", trial -> {
            SocketChannel channel = trial.channel();
            var address = trial.nowhere();
            set(trial, "connect", () -> channel.socket().connect(address, 20));
            trial.state(channel);
        }));
        all.add(new Case("channel: the wildcard is this host", trial -> {
            SocketChannel channel = trial.channel();
            int port = trial.listener().socket().getLocalPort();
            trial.op("connect", () -> channel.connect(new InetSocketAddress(port)));
            trial.op("remote", () -> host(channel.getRemoteAddress()));
        }));
        all.add(new Case("channel: bound to a foreign address", trial -> {
            SocketChannel channel = trial.channel();
            InetAddress foreign = InetAddress.ofLiteral("192.0.2.1");
            trial.op("bind", () -> channel.bind(new InetSocketAddress(foreign, 0)));
            trial.state(channel);
            trial.op("socket", () -> {
                trial.channel().socket().bind(new InetSocketAddress(foreign, 0));
                return "bound";
            });
        }));
        all.add(new Case("channel: bound, then connected", trial -> {
            SocketChannel channel = trial.channel();
            channel.bind(Trial.anyPort());
            trial.op("connect", () -> channel.connect(trial.listener().getLocalAddress()));
            trial.note("port " + (channel.socket().getLocalPort() > 0));
            trial.op("local", () -> host(channel.getLocalAddress()));
        }));
        all.add(new Case("channel: the port it is bound to", trial -> {
            SocketChannel channel = trial.channel();
            channel.bind(Trial.anyPort());
            trial.note("port " + (channel.socket().getLocalPort() > 0));
        }));
        all.add(new Case("channel: addresses of both ends", trial -> {
            Trial.Pair pair = trial.pair();
            trial.note(pair.client().getRemoteAddress().equals(pair.server().getLocalAddress()));
            trial.note(pair.client().getLocalAddress().equals(pair.server().getRemoteAddress()));
            trial.note(pair.server().getLocalAddress().equals(pair.listener().getLocalAddress()));
            trial.note(pair.server().isBlocking());
        }));
        for (StandardProtocolFamily family : StandardProtocolFamily.values()) {
            all.add(new Case("channel of " + family, trial -> {
                trial.op("open", () -> {
                    SocketChannel channel = trial.closing(trial.provider().openSocketChannel(family));
                    trial.state(channel);
                    trial.op("IPv6", () -> channel.bind(new InetSocketAddress(InetAddress.ofLiteral("::1"), 0)));
                    trial.op("IPv4", () -> channel.bind(Trial.anyPort()));
                    trial.op("to IPv6", () -> channel.connect(new InetSocketAddress(InetAddress.ofLiteral("::1"), 1)));
                    return "done";
                });
            }));
            all.add(new Case("listener of " + family, trial -> {
                trial.op("open", () -> {
                    var listener = trial.closing(trial.provider().openServerSocketChannel(family));
                    trial.op("IPv6", () -> listener.bind(new InetSocketAddress(InetAddress.ofLiteral("::1"), 0)));
                    trial.op("any", () -> listener.bind(new InetSocketAddress(0)));
                    return "done";
                });
            }));
        }
        all.add(new Case("channel of no family", trial -> {
            trial.op("channel", () -> trial.provider().openSocketChannel(null));
            trial.op("listener", () -> trial.provider().openServerSocketChannel(null));
        }));
        return all;
    }
}
