package org.panamaverbs.sockets.contract;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What programs do with the sockets of {@code java.net}. */
final class NetCases {
    /** More than a connection takes while nobody reads. */
    private static final int MUCH = 1_000_000;

    private static final List<NetCase> CASES = new ArrayList<>();

    private NetCases() {}

    /** What a case does. */
    interface Program {
        void run(NetTrial trial) throws Exception;
    }

    /**
     * A small program.
     *
     * @param ownServer whether it is of server sockets, and none of those of other peers
     */
    record NetCase(String name, boolean ownServer, Program program) {}

    private static void add(String name, Program program) {
        CASES.add(new NetCase(name, false, program));
    }

    private static void addServers(String name, Program program) {
        CASES.add(new NetCase("server: " + name, true, program));
    }

    static List<NetCase> all() {
        if (CASES.isEmpty()) {
            states();
            connects();
            reads();
            writes();
            ends();
            interrupts();
            options();
            servers();
        }
        return List.copyOf(CASES);
    }

    private static void states() {
        add("state: fresh", trial -> {
            Socket socket = trial.socket();
            trial.state(socket);
            trial.note(
                    socket.getRemoteSocketAddress() + " " + socket.getLocalSocketAddress() + " " + socket.getChannel());
            trial.op("in", socket::getInputStream);
            trial.op("out", socket::getOutputStream);
            trial.does("shut in", socket::shutdownInput);
            trial.does("shut out", socket::shutdownOutput);
            trial.note(socket);
        });
        add("state: closed before it was used", trial -> {
            Socket socket = trial.socket();
            socket.close();
            trial.state(socket);
            trial.does("connect", () -> socket.connect(trial.nobody()));
            trial.does("bind", () -> socket.bind(NetTrial.anyPort()));
            trial.op("in", socket::getInputStream);
            trial.op("timeout", socket::getSoTimeout);
            trial.does("no delay", () -> socket.setTcpNoDelay(true));
            socket.close();
        });
        add("state: bound", trial -> {
            Socket socket = trial.socket();
            socket.bind(NetTrial.anyPort());
            trial.state(socket);
            trial.does("again", () -> socket.bind(NetTrial.anyPort()));
            trial.does("closed", socket::close);
            trial.state(socket);
        });
        add("state: bound to any address", trial -> {
            Socket socket = trial.socket();
            socket.bind(null);
            trial.state(socket);
        });
        add("state: bound to a taken port", trial -> {
            Socket first = trial.socket();
            first.bind(NetTrial.anyPort());
            trial.does("second", () -> trial.socket().bind(first.getLocalSocketAddress()));
        });
        add(
                "state: bound to a foreign address",
                trial -> trial.does(
                        "bind",
                        () -> trial.socket().bind(new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 0))));
        add("state: connected", trial -> {
            NetTrial.Pair pair = trial.pair();
            trial.state(pair.client());
            trial.state(pair.server());
            trial.note(pair.client().getPort() == pair.listener().getLocalPort());
            trial.note(pair.server().getPort() == pair.client().getLocalPort());
            trial.note(
                    pair.server().getRemoteSocketAddress().equals(pair.client().getLocalSocketAddress()));
            trial.does("again", () -> pair.client().connect(pair.listener().getLocalSocketAddress()));
            trial.does("bind", () -> pair.client().bind(NetTrial.anyPort()));
            trial.note(pair.client().getInputStream().equals(pair.client().getInputStream()));
        });
        add("state: closed after it was connected", trial -> {
            NetTrial.Pair pair = trial.pair();
            pair.client().close();
            trial.state(pair.client());
            trial.does("again", pair.client()::close);
            trial.op("in", pair.client()::getInputStream);
            trial.does("shut", pair.client()::shutdownOutput);
            trial.does("urgent", () -> pair.client().sendUrgentData(1));
        });
        add("state: text", trial -> {
            NetTrial.Pair pair = trial.pair();
            trial.note(pair.client().toString().replaceAll("[0-9]{4,}", "port"));
            trial.note(pair.server().toString().replaceAll("[0-9]{4,}", "port"));
        });
    }

    private static void connects() {
        add("connect: to nobody", trial -> {
            Socket socket = trial.socket();
            trial.does("connect", () -> socket.connect(trial.nobody()));
            trial.state(socket);
        });
        add("connect: to nobody, in time", trial -> {
            Socket socket = trial.socket();
            trial.does("connect", () -> socket.connect(trial.nobody(), 10_000));
            trial.note(socket.isClosed());
        });
        add("connect: in time", trial -> {
            ServerSocket listener = trial.listener();
            Socket socket = trial.socket();
            trial.does("connect", () -> socket.connect(listener.getLocalSocketAddress(), 20_000));
            trial.note(trial.closing(listener.accept()).isConnected());
            trial.op("timeout", socket::getSoTimeout);
        });
        add("connect: not in time", trial -> {
            InetSocketAddress nowhere = trial.nowhere();
            Socket socket = trial.socket();
            trial.does("connect", () -> socket.connect(nowhere, 300));
            trial.note(socket.isClosed());
        });
        add("connect: closed meanwhile", trial -> {
            InetSocketAddress nowhere = trial.nowhere();
            Socket socket = trial.socket();
            Running connecting = trial.start(() -> {
                        socket.connect(nowhere);
                        return "connected";
                    })
                    .awaitBlocked();
            socket.close();
            trial.note(connecting.end());
        });
        add("connect: interrupted meanwhile", trial -> {
            InetSocketAddress nowhere = trial.nowhere();
            Socket socket = trial.socket();
            Running connecting = trial.start(() -> {
                        socket.connect(nowhere, 1500);
                        return "connected";
                    })
                    .awaitBlocked();
            connecting.interrupt();
            trial.note(connecting.end());
        });
        add("connect: interrupted meanwhile, on a virtual thread", trial -> {
            InetSocketAddress nowhere = trial.nowhere();
            Socket socket = trial.socket();
            Running connecting = trial.startVirtual(() -> {
                        socket.connect(nowhere);
                        return "connected";
                    })
                    .awaitBlocked();
            connecting.interrupt();
            trial.note(connecting.end());
            trial.note(socket.isClosed());
        });
        add("connect: interrupted before", trial -> {
            ServerSocket listener = trial.listener();
            Socket socket = trial.socket();
            Running connecting = trial.start(() -> {
                Thread.currentThread().interrupt();
                socket.connect(listener.getLocalSocketAddress());
                return "connected";
            });
            trial.note(connecting.end());
            trial.state(socket);
        });
        add("connect: without an address", trial -> {
            trial.does("null", () -> trial.socket().connect(null));
            trial.does("negative", () -> trial.socket().connect(trial.nobody(), -1));
            trial.does(
                    "unresolved", () -> trial.socket().connect(InetSocketAddress.createUnresolved("host.invalid", 80)));
        });
        add("connect: by names that RFC 2396 does not know", trial -> {
            ServerSocket listener = trial.listener();
            for (String name : List.of("my_service", "a.b-", "foo.123", "two words", "[", "a:b", "")) {
                InetAddress address =
                        InetAddress.getByAddress(name, listener.getInetAddress().getAddress());
                Socket socket = trial.socket();
                trial.does(name, () -> socket.connect(new InetSocketAddress(address, listener.getLocalPort())));
                trial.note(trial.closing(listener.accept()).isConnected());
            }
        });
        add("connect: bound", trial -> {
            ServerSocket listener = trial.listener();
            Socket socket = trial.socket();
            socket.bind(NetTrial.anyPort());
            int port = socket.getLocalPort();
            socket.connect(listener.getLocalSocketAddress());
            trial.state(socket);
            trial.note(trial.closing(listener.accept()).getPort() == socket.getLocalPort());
            trial.note(port > 0);
        });
        add("connect: many", trial -> {
            ServerSocket listener = trial.listener();
            for (int i = 0; i < 10; i++) {
                Socket socket = trial.socket();
                socket.connect(listener.getLocalSocketAddress());
                Socket accepted = trial.closing(listener.accept());
                socket.getOutputStream().write(i);
                trial.note(accepted.getInputStream().read());
            }
        });
    }

    private static void reads() {
        add("read: bytes and the end", trial -> {
            NetTrial.Pair pair = trial.pair();
            OutputStream out = pair.client().getOutputStream();
            InputStream in = pair.server().getInputStream();
            out.write(200);
            out.write(new byte[] {1, 2, 3}, 1, 2);
            trial.note(in.read());
            trial.note(in.readNBytes(2).length);
            pair.client().shutdownOutput();
            trial.note(in.read() + " " + in.read(new byte[3]) + " " + in.read(new byte[0]));
            trial.op("range", () -> in.read(new byte[3], 2, 2));
            trial.op("null", () -> in.read(null, 0, 1));
        });
        add("read: after the end and the close", trial -> {
            NetTrial.Pair pair = trial.pair();
            InputStream in = pair.server().getInputStream();
            pair.client().close();
            trial.note(in.read());
            pair.server().close();
            trial.op("read", in::read);
        });
        add("read: closed", trial -> {
            NetTrial.Pair pair = trial.pair();
            InputStream in = pair.client().getInputStream();
            OutputStream out = pair.client().getOutputStream();
            pair.client().close();
            trial.op("read", in::read);
            trial.does("write", () -> out.write(1));
            trial.op("available", in::available);
        });
        add("read: in time", trial -> {
            NetTrial.Pair pair = trial.pair();
            InputStream in = pair.client().getInputStream();
            pair.client().setSoTimeout(20);
            trial.op("nothing", in::read);
            trial.op("again", () -> in.read(new byte[10]));
            trial.state(pair.client());
            pair.client().setSoTimeout(20_000);
            Running reading = trial.start(in::read).awaitBlocked();
            pair.server().getOutputStream().write(9);
            trial.note(reading.end());
            trial.op("timeout", pair.client()::getSoTimeout);
        });
        add("read: no byte is lost where the time passes", trial -> {
            NetTrial.Pair pair = trial.pair();
            InputStream in = pair.client().getInputStream();
            pair.client().setSoTimeout(1);
            Running writing = trial.start(() -> {
                for (int i = 0; i < 200; i++) {
                    pair.server().getOutputStream().write(i);
                    Thread.sleep(1); // about as long as the reader waits
                }
                return "written";
            });
            int next = 0;
            byte[] octets = new byte[7];
            long begun = System.nanoTime();
            while (next < 200) {
                Trial.requireTime(begun);
                try {
                    int count = in.read(octets);
                    for (int i = 0; i < count; i++) {
                        if (Byte.toUnsignedInt(octets[i]) != next++) {
                            throw new IllegalStateException("byte " + next);
                        }
                    }
                } catch (java.net.SocketTimeoutException e) {
                    // And again.
                }
            }
            trial.note(writing.end() + next);
        });
        add("read: available and ready", trial -> {
            NetTrial.Pair pair = trial.pair();
            InputStream in = pair.client().getInputStream();
            BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            trial.note(in.available() + " " + reader.ready());
            pair.server().getOutputStream().write(new byte[] {65, 10, 66, 67});
            NetTrial.awaitAvailable(in, 4);
            trial.note(reader.ready() + " " + in.skip(1) + " " + in.available());
            trial.note(in.readNBytes(3).length + " " + in.available());
            pair.client().shutdownInput();
            trial.op("shut", in::available);
            pair.client().close();
            trial.op("closed", in::available);
        });
        add("read: two threads", trial -> {
            NetTrial.Pair pair = trial.pair();
            InputStream in = pair.client().getInputStream();
            Running first = trial.start(in::read).awaitBlocked();
            Running second = trial.start(in::read).awaitBlocked();
            pair.server().getOutputStream().write(new byte[] {4, 4});
            trial.note(first.end() + " " + second.end());
        });
        add("read: two threads, one in time", trial -> {
            NetTrial.Pair pair = trial.pair();
            InputStream in = pair.client().getInputStream();
            Running first = trial.start(in::read).awaitBlocked();
            pair.client().setSoTimeout(20);
            trial.op("second", in::read);
            pair.server().getOutputStream().write(4);
            trial.note(first.end());
        });
        add("read: while another thread writes", trial -> {
            NetTrial.Pair pair = trial.pair();
            Running reading = trial.start(pair.client().getInputStream()::read).awaitBlocked();
            pair.client().getOutputStream().write(5);
            trial.note(pair.server().getInputStream().read());
            pair.server().getOutputStream().write(6);
            trial.note(reading.end());
        });
        add("read: transferTo", trial -> {
            NetTrial.Pair pair = trial.pair();
            Running writing = trial.start(() -> {
                pair.client().getOutputStream().write(new byte[MUCH]);
                pair.client().shutdownOutput();
                return "written";
            });
            ByteArrayOutputStream target = new ByteArrayOutputStream();
            trial.note(pair.server().getInputStream().transferTo(target) + " " + target.size());
            trial.note(writing.end());
        });
        add("read: on a virtual thread", trial -> {
            NetTrial.Pair pair = trial.pair();
            Running reading =
                    trial.startVirtual(pair.client().getInputStream()::read).awaitBlocked();
            pair.server().getOutputStream().write(1);
            trial.note(reading.end());
            pair.client().setSoTimeout(20);
            trial.note(trial.startVirtual(pair.client().getInputStream()::read).end());
        });
        add("read: reset by the peer", trial -> {
            NetTrial.Pair pair = trial.pair();
            Running reading = trial.start(pair.client().getInputStream()::read).awaitBlocked();
            pair.server().setSoLinger(true, 0);
            pair.server().close();
            trial.note(reading.end());
            trial.op("again", pair.client().getInputStream()::read);
            trial.note(pair.client().isConnected() + " " + pair.client().isClosed());
        });
        add("read: reset by the peer, one of whose threads reads", trial -> {
            NetTrial.Pair pair = trial.pair();
            Running reading = trial.start(pair.server().getInputStream()::read).awaitBlocked();
            pair.server().setSoLinger(true, 0);
            pair.server().close();
            trial.note(reading.end());
            trial.op("read", pair.client().getInputStream()::read);
            trial.op("again", pair.client().getInputStream()::read);
        });
        add("write: reset by the peer, one of whose threads writes", trial -> {
            NetTrial.Pair pair = trial.smallPair();
            Running writing = trial.start(() -> {
                        pair.client().getOutputStream().write(new byte[8 << 20]);
                        return "written";
                    })
                    .awaitBlocked();
            pair.client().setSoLinger(true, 0);
            pair.client().close();
            trial.note(writing.end());
        });
        add("read: lines both ways", trial -> {
            NetTrial.Pair pair = trial.pair();
            Running server = trial.start(() -> {
                BufferedReader in = new BufferedReader(
                        new InputStreamReader(pair.server().getInputStream(), StandardCharsets.UTF_8));
                int lines = 0;
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    pair.server().getOutputStream().write((line + "!\n").getBytes(StandardCharsets.UTF_8));
                    lines++;
                }
                return lines;
            });
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(pair.client().getInputStream(), StandardCharsets.UTF_8));
            for (int i = 0; i < 10; i++) {
                pair.client().getOutputStream().write(("line " + i + "\n").getBytes(StandardCharsets.UTF_8));
                trial.note(in.readLine());
            }
            pair.client().shutdownOutput();
            trial.note(server.end());
        });
    }

    private static void writes() {
        add("write: arguments", trial -> {
            OutputStream out = trial.pair().client().getOutputStream();
            trial.does("nothing", () -> out.write(new byte[0]));
            trial.does("range", () -> out.write(new byte[3], 2, 2));
            trial.does("null", () -> out.write(null, 0, 1));
        });
        add("write: both directions full", trial -> {
            NetTrial.Pair pair = trial.smallPair();
            List<Running> all = new ArrayList<>();
            for (Socket each : List.of(pair.client(), pair.server())) {
                all.add(trial.start(() -> {
                    each.getOutputStream().write(new byte[MUCH]);
                    return "written";
                }));
            }
            for (Socket each : List.of(pair.client(), pair.server())) {
                all.add(trial.start(() -> each.getInputStream().readNBytes(MUCH).length));
            }
            for (Running each : all) {
                trial.note(each.end());
            }
        });
        add("write: closed while it waits", trial -> {
            NetTrial.Pair pair = trial.smallPair();
            Running writing = trial.start(() -> {
                        pair.client().getOutputStream().write(new byte[20 * MUCH]);
                        return "written";
                    })
                    .awaitBlocked();
            pair.client().close();
            trial.note(writing.end());
        });
        add("write: shut while it waits", trial -> {
            NetTrial.Pair pair = trial.smallPair();
            Running writing = trial.start(() -> {
                        pair.client().getOutputStream().write(new byte[20 * MUCH]);
                        return "written";
                    })
                    .awaitBlocked();
            pair.client().shutdownOutput();
            trial.note(writing.end());
        });
        add("write: after the peer's close", trial -> {
            NetTrial.Pair pair = trial.pair();
            pair.server().close();
            trial.note(pair.client().getInputStream().read());
            OutputStream out = pair.client().getOutputStream();
            long begun = System.nanoTime();
            String end = "written";
            while (end.equals("written")) {
                Trial.requireTime(begun);
                end = NetTrial.outcome(() -> {
                    out.write(1);
                    return "written";
                });
            }
            trial.note(end);
        });
        add("write: no time-out", trial -> {
            NetTrial.Pair pair = trial.smallPair();
            pair.client().setSoTimeout(10);
            Running writing = trial.start(() -> {
                        pair.client().getOutputStream().write(new byte[20 * MUCH]);
                        return "written";
                    })
                    .awaitBlocked();
            trial.note(pair.server().getInputStream().readNBytes(20 * MUCH).length);
            trial.note(writing.end());
        });
        add("write: urgent data", trial -> {
            NetTrial.Pair pair = trial.pair();
            pair.client().setOOBInline(true);
            trial.note(pair.client().getOOBInline());
            pair.server().setOOBInline(true);
            trial.does("urgent", () -> pair.client().sendUrgentData(7));
        });
    }

    private static void ends() {
        add("end: half closed", trial -> {
            NetTrial.Pair pair = trial.pair();
            pair.client().getOutputStream().write(1);
            pair.client().shutdownOutput();
            trial.state(pair.client());
            trial.does("again", pair.client()::shutdownOutput);
            trial.op("out", pair.client()::getOutputStream);
            trial.note(pair.server().getInputStream().readAllBytes().length);
            pair.server().getOutputStream().write(2);
            trial.note(pair.client().getInputStream().read());
        });
        add("end: written after the output was shut", trial -> {
            NetTrial.Pair pair = trial.pair();
            OutputStream out = pair.client().getOutputStream();
            pair.client().shutdownOutput();
            trial.does("write", () -> out.write(1));
        });
        add("end: input shut", trial -> {
            NetTrial.Pair pair = trial.pair();
            InputStream in = pair.client().getInputStream();
            pair.client().shutdownInput();
            trial.op("read", in::read);
            trial.op("in", pair.client()::getInputStream);
            trial.does("again", pair.client()::shutdownInput);
            trial.state(pair.client());
        });
        add("end: input shut while it is read", trial -> {
            NetTrial.Pair pair = trial.pair();
            Running reading = trial.start(pair.client().getInputStream()::read).awaitBlocked();
            pair.client().shutdownInput();
            trial.note(reading.end());
        });
        add("end: closed while it is read", trial -> {
            NetTrial.Pair pair = trial.pair();
            Running reading = trial.start(pair.client().getInputStream()::read).awaitBlocked();
            pair.client().close();
            trial.note(reading.end());
        });
        add("end: closed while it is read in time", trial -> {
            NetTrial.Pair pair = trial.pair();
            pair.client().setSoTimeout(20_000);
            Running reading = trial.start(pair.client().getInputStream()::read).awaitBlocked();
            pair.client().close();
            trial.note(reading.end());
        });
        add("end: closed while it is read on a virtual thread", trial -> {
            NetTrial.Pair pair = trial.pair();
            Running reading =
                    trial.startVirtual(pair.client().getInputStream()::read).awaitBlocked();
            pair.client().close();
            trial.note(reading.end());
        });
        add("end: closed by a stream", trial -> {
            NetTrial.Pair pair = trial.pair();
            pair.client().getOutputStream().close();
            trial.note(pair.client().isClosed());
            pair.server().getInputStream().close();
            trial.note(pair.server().isClosed());
        });
        add("end: what was written before the close comes", trial -> {
            NetTrial.Pair pair = trial.pair();
            Running reading = trial.start(() -> pair.server().getInputStream().readAllBytes().length);
            pair.client().getOutputStream().write(new byte[MUCH]);
            pair.client().close();
            trial.note(reading.end());
        });
        add("end: lingers", trial -> {
            NetTrial.Pair pair = trial.pair();
            pair.client().setSoLinger(true, 20);
            Running reading = trial.start(() -> pair.server().getInputStream().readAllBytes().length);
            pair.client().getOutputStream().write(new byte[MUCH]);
            pair.client().close();
            trial.note(reading.end());
        });
    }

    private static void interrupts() {
        add("interrupt: a read goes on", trial -> {
            NetTrial.Pair pair = trial.pair();
            Running reading = trial.start(pair.client().getInputStream()::read).awaitBlocked();
            reading.interrupt();
            reading.interrupt();
            trial.note(reading.blocks());
            pair.server().getOutputStream().write(8);
            trial.note(reading.end());
            trial.state(pair.client());
        });
        add("interrupt: a read in time goes on", trial -> {
            NetTrial.Pair pair = trial.pair();
            pair.client().setSoTimeout(300);
            Running reading = trial.start(pair.client().getInputStream()::read).awaitBlocked();
            reading.interrupt();
            trial.note(reading.end());
        });
        add("interrupt: before a read", trial -> {
            NetTrial.Pair pair = trial.pair();
            Running reading = trial.start(() -> {
                        Thread.currentThread().interrupt();
                        return pair.client().getInputStream().read();
                    })
                    .awaitBlocked();
            pair.server().getOutputStream().write(8);
            trial.note(reading.end());
        });
        add("interrupt: a write goes on", trial -> {
            NetTrial.Pair pair = trial.smallPair();
            Running writing = trial.start(() -> {
                        pair.client().getOutputStream().write(new byte[20 * MUCH]);
                        return "written";
                    })
                    .awaitBlocked();
            writing.interrupt();
            trial.note(pair.server().getInputStream().readNBytes(20 * MUCH).length);
            trial.note(writing.end());
        });
        add("interrupt: a read on a virtual thread closes", trial -> {
            NetTrial.Pair pair = trial.pair();
            Running reading =
                    trial.startVirtual(pair.client().getInputStream()::read).awaitBlocked();
            reading.interrupt();
            trial.note(reading.end());
            trial.state(pair.client());
        });
        add("interrupt: a write on a virtual thread closes", trial -> {
            NetTrial.Pair pair = trial.smallPair();
            Running writing = trial.startVirtual(() -> {
                        pair.client().getOutputStream().write(new byte[20 * MUCH]);
                        return "written";
                    })
                    .awaitBlocked();
            writing.interrupt();
            trial.note(writing.end());
            trial.note(pair.client().isClosed());
        });
        add("interrupt: what is there is read on a virtual thread", trial -> {
            NetTrial.Pair pair = trial.pair();
            pair.server().getOutputStream().write(3);
            InputStream in = pair.client().getInputStream();
            NetTrial.awaitAvailable(in, 1);
            trial.note(trial.startVirtual(() -> {
                        Thread.currentThread().interrupt();
                        return in.read();
                    })
                    .end());
            trial.note(pair.client().isClosed());
        });
    }

    private static Set<String> names(Set<SocketOption<?>> options) {
        Set<String> names = new TreeSet<>();
        options.forEach(each -> names.add(each.name()));
        return names;
    }

    private static void options() {
        add("options: of sockets", trial -> {
            Socket socket = trial.socket();
            trial.note(names(socket.supportedOptions()));
            trial.op("unknown", () -> socket.getOption(StandardSocketOptions.IP_MULTICAST_TTL));
            trial.does("unknown", () -> socket.setOption(StandardSocketOptions.IP_MULTICAST_TTL, 1));
            socket.close();
            trial.op("closed", () -> socket.getOption(StandardSocketOptions.SO_RCVBUF));
            trial.note(names(socket.supportedOptions()).isEmpty());
        });
        add("options: initial values", trial -> {
            for (Socket each : List.of(trial.socket(), trial.pair().client())) {
                trial.note(each.getTcpNoDelay() + " " + each.getKeepAlive() + " " + each.getSoLinger() + " "
                        + each.getSoTimeout() + " " + each.getOOBInline() + " " + each.getTrafficClass() + " "
                        + each.getReuseAddress());
            }
        });
        add("options: set and read", trial -> {
            Socket socket = trial.socket();
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            socket.setSoLinger(true, 5);
            socket.setReuseAddress(true);
            socket.setTrafficClass(8);
            socket.setSoTimeout(1234);
            trial.note(socket.getTcpNoDelay() + " " + socket.getKeepAlive() + " " + socket.getSoLinger() + " "
                    + socket.getReuseAddress() + " " + socket.getTrafficClass() + " " + socket.getSoTimeout());
            socket.setSoLinger(false, 0);
            socket.setSoLinger(true, 100_000);
            trial.note(socket.getSoLinger());
            socket.setSoLinger(false, 7);
            trial.note(socket.getSoLinger());
        });
        add("options: kept by a connection", trial -> {
            ServerSocket listener = trial.listener();
            Socket socket = trial.socket();
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            socket.setSoTimeout(777);
            socket.setSoLinger(true, 3);
            socket.connect(listener.getLocalSocketAddress());
            trial.closing(listener.accept());
            trial.note(socket.getTcpNoDelay() + " " + socket.getKeepAlive() + " " + socket.getSoTimeout() + " "
                    + socket.getSoLinger());
        });
        add("options: invalid values", trial -> {
            Socket socket = trial.socket();
            trial.does("timeout", () -> socket.setSoTimeout(-1));
            trial.does("linger", () -> socket.setSoLinger(true, -1));
            trial.does("class", () -> socket.setTrafficClass(256));
            trial.does("send", () -> socket.setSendBufferSize(0));
            trial.does("receive", () -> socket.setReceiveBufferSize(-3));
            trial.does("null", () -> socket.setOption(null, 1));
            trial.does("null value", () -> socket.setOption(StandardSocketOptions.SO_RCVBUF, null));
            trial.does("tos", () -> socket.setOption(StandardSocketOptions.IP_TOS, 300));
        });
        add("options: by their objects", trial -> {
            Socket socket = trial.socket();
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true)
                    .setOption(StandardSocketOptions.SO_LINGER, 4)
                    .setOption(StandardSocketOptions.SO_REUSEPORT, true);
            trial.note(socket.getOption(StandardSocketOptions.TCP_NODELAY) + " "
                    + socket.getOption(StandardSocketOptions.SO_LINGER) + " " + socket.getSoLinger() + " "
                    + socket.getOption(StandardSocketOptions.SO_REUSEPORT) + " "
                    + socket.getOption(StandardSocketOptions.IP_TOS));
        });
        add("options: sizes", trial -> {
            Socket socket = trial.socket();
            socket.setSendBufferSize(50_000);
            socket.setReceiveBufferSize(50_000);
            trial.note((socket.getSendBufferSize() >= 50_000) + " " + (socket.getReceiveBufferSize() >= 50_000));
        });
        add("options: preferences", trial -> {
            Socket socket = trial.socket();
            trial.does("set", () -> socket.setPerformancePreferences(1, 2, 3));
        });
    }

    private static void servers() {
        addServers("fresh", trial -> {
            ServerSocket server = trial.unbound();
            trial.note(server.isBound() + " " + server.isClosed() + " " + server.getLocalPort() + " "
                    + server.getInetAddress() + " " + server.getLocalSocketAddress() + " " + server.getChannel());
            trial.op("accept", server::accept);
            trial.note(server);
            server.close();
            trial.op("accept", server::accept);
            trial.does("bind", () -> server.bind(NetTrial.anyPort()));
        });
        addServers("bound", trial -> {
            ServerSocket server = trial.unbound();
            server.bind(NetTrial.anyPort());
            trial.note(server.isBound() + " " + (server.getLocalPort() > 0) + " " + server.getInetAddress());
            trial.note(server.toString().replaceAll("[0-9]{4,}", "port"));
            trial.does("again", () -> server.bind(NetTrial.anyPort()));
            trial.does("taken", () -> trial.unbound().bind(server.getLocalSocketAddress()));
            server.close();
            trial.note(server.isBound() + " " + (server.getLocalPort() > 0) + " " + server.getInetAddress());
        });
        addServers("bound to any address", trial -> {
            ServerSocket server = trial.unbound();
            server.bind(null, 5);
            trial.note(server.getInetAddress() + " " + (server.getLocalPort() > 0));
            Socket socket = trial.socket();
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort()));
            trial.state(trial.closing(server.accept()));
        });
        addServers(
                "bound to no address of this host",
                trial -> trial.does(
                        "bind",
                        () -> trial.unbound().bind(new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 0))));
        addServers(
                "unresolved",
                trial -> trial.does(
                        "bind", () -> trial.unbound().bind(InetSocketAddress.createUnresolved("host.invalid", 80))));
        addServers("the port is free after the close", trial -> {
            ServerSocket server = trial.unbound();
            server.bind(NetTrial.anyPort());
            Socket socket = trial.socket();
            socket.connect(server.getLocalSocketAddress());
            trial.closing(server.accept());
            InetSocketAddress address = (InetSocketAddress) server.getLocalSocketAddress();
            server.close();
            ServerSocket next = trial.unbound();
            next.setReuseAddress(true);
            trial.does("bind", () -> next.bind(address));
        });
        addServers("accept in time", trial -> {
            ServerSocket server = trial.unbound();
            server.bind(NetTrial.anyPort());
            server.setSoTimeout(20);
            trial.op("nobody", server::accept);
            trial.op("timeout", server::getSoTimeout);
            server.setSoTimeout(20_000);
            Running accepting = trial.start(() -> trial.closing(server.accept()).isConnected())
                    .awaitBlocked();
            trial.socket().connect(server.getLocalSocketAddress());
            trial.note(accepting.end());
        });
        addServers("two accept", trial -> {
            ServerSocket server = trial.unbound();
            server.bind(NetTrial.anyPort());
            Running first = trial.start(() -> trial.closing(server.accept()).isConnected())
                    .awaitBlocked();
            Running second = trial.start(() -> trial.closing(server.accept()).isConnected())
                    .awaitBlocked();
            trial.socket().connect(server.getLocalSocketAddress());
            trial.socket().connect(server.getLocalSocketAddress());
            trial.note(first.end() + second.end());
        });
        addServers("closed while it accepts", trial -> {
            ServerSocket server = trial.unbound();
            server.bind(NetTrial.anyPort());
            Running accepting = trial.start(server::accept).awaitBlocked();
            server.close();
            trial.note(accepting.end());
        });
        addServers("closed while it accepts on a virtual thread", trial -> {
            ServerSocket server = trial.unbound();
            server.bind(NetTrial.anyPort());
            Running accepting = trial.startVirtual(server::accept).awaitBlocked();
            server.close();
            trial.note(accepting.end());
        });
        addServers("interrupted while it accepts", trial -> {
            ServerSocket server = trial.unbound();
            server.bind(NetTrial.anyPort());
            Running accepting = trial.start(() -> trial.closing(server.accept()).isConnected())
                    .awaitBlocked();
            accepting.interrupt();
            trial.note(accepting.blocks());
            trial.socket().connect(server.getLocalSocketAddress());
            trial.note(accepting.end() + server.isClosed());
        });
        addServers("interrupted while it accepts on a virtual thread", trial -> {
            ServerSocket server = trial.unbound();
            server.bind(NetTrial.anyPort());
            Running accepting = trial.startVirtual(server::accept).awaitBlocked();
            accepting.interrupt();
            trial.note(accepting.end() + server.isClosed());
        });
        addServers("accepts what came before", trial -> {
            ServerSocket server = trial.unbound();
            server.bind(NetTrial.anyPort(), 10);
            Socket socket = trial.socket();
            socket.connect(server.getLocalSocketAddress());
            socket.getOutputStream().write(11);
            trial.note(trial.closing(server.accept()).getInputStream().read());
        });
        addServers("options", trial -> {
            ServerSocket server = trial.unbound();
            trial.note(names(server.supportedOptions()));
            server.setReuseAddress(false);
            trial.note(server.getReuseAddress());
            server.setReuseAddress(true);
            server.setReceiveBufferSize(40_000);
            trial.note(server.getReuseAddress() + " " + (server.getReceiveBufferSize() >= 40_000));
            trial.op("tos", () -> server.getOption(StandardSocketOptions.IP_TOS));
            server.setOption(StandardSocketOptions.IP_TOS, 16);
            trial.op("tos", () -> server.getOption(StandardSocketOptions.IP_TOS));
            trial.does("invalid", () -> server.setReceiveBufferSize(0));
            trial.does("timeout", () -> server.setSoTimeout(-1));
            trial.op("linger", () -> server.getOption(StandardSocketOptions.SO_LINGER));
            server.close();
            trial.op("closed", server::getReuseAddress);
            trial.op("closed", server::getSoTimeout);
        });
        addServers("what it accepts has no time-out", trial -> {
            ServerSocket server = trial.unbound();
            server.bind(NetTrial.anyPort());
            server.setSoTimeout(9_000);
            trial.socket().connect(server.getLocalSocketAddress());
            trial.op("timeout", trial.closing(server.accept())::getSoTimeout);
        });
        addServers("closed with connections that wait", trial -> {
            ServerSocket server = trial.unbound();
            server.bind(NetTrial.anyPort());
            Socket socket = trial.socket();
            socket.connect(server.getLocalSocketAddress());
            server.close();
            trial.op("read", socket.getInputStream()::read);
        });
    }
}
