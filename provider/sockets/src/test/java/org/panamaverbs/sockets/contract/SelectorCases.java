package org.panamaverbs.sockets.contract;

import static java.nio.channels.SelectionKey.OP_ACCEPT;
import static java.nio.channels.SelectionKey.OP_CONNECT;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.panamaverbs.sockets.contract.Trial.nonBlocking;
import static org.panamaverbs.sockets.contract.Trial.octets;

import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Selectors and their keys. */
@SuppressWarnings("ReferenceEquality") // the contract names the object that is returned
final class SelectorCases {
    private SelectorCases() {}

    private static final List<Case> CASES = new ArrayList<>();

    private static void add(String name, Case.Program program) {
        CASES.add(new Case("selector: " + name, program));
    }

    /** A channel that is connected and registered, its peer, and where. */
    private record Registered(Selector selector, SocketChannel channel, SelectionKey key, SocketChannel peer) {}

    private static Registered registered(Trial trial, int ops) throws Exception {
        Trial.Pair pair = trial.pair();
        Selector selector = trial.selector();
        SocketChannel channel = nonBlocking(pair.client());
        return new Registered(selector, channel, channel.register(selector, ops), pair.server());
    }

    private static void count(Trial trial, Selector selector) {
        trial.op("keys", () -> selector.keys().size());
        trial.op("selected", () -> selector.selectedKeys().size());
    }

    static List<Case> all() {
        if (CASES.isEmpty()) {
            alone();
            keys();
            readiness();
            waking();
            consumers();
            closing();
        }
        return List.copyOf(CASES);
    }

    private static void alone() {
        add("nothing is registered", trial -> {
            Selector selector = trial.selector();
            trial.note(selector.isOpen() + " " + selector.provider().equals(trial.provider()));
            trial.op("selectNow", selector::selectNow);
            trial.op("in time", () -> selector.select(1));
            trial.op("negative", () -> selector.select(-1));
            count(trial, selector);
        });
        add("closed", trial -> {
            Selector selector = trial.selector();
            Set<SelectionKey> keys = selector.keys();
            selector.close();
            selector.close();
            trial.op("keys", selector::keys);
            trial.op("selected", selector::selectedKeys);
            trial.op("selectNow", selector::selectNow);
            trial.op("select", selector::select);
            trial.op("consumer", () -> selector.selectNow(key -> {}));
            trial.op("wakeup", () -> selector.wakeup() == selector);
            trial.note(selector.isOpen() + " " + keys.size());
            SocketChannel channel = nonBlocking(trial.channel());
            trial.op("register", () -> channel.register(selector, 0));
            trial.state(channel);
        });
        add("its sets are the selector's to fill", trial -> {
            Registered all = registered(trial, OP_WRITE);
            Trial.select(all.selector, all.key, OP_WRITE);
            trial.op("add", () -> all.selector.selectedKeys().add(all.key));
            trial.op("add to keys", () -> all.selector.keys().add(all.key));
            trial.op("remove of keys", () -> all.selector.keys().remove(all.key));
            trial.op("clear keys", () -> {
                all.selector.keys().clear();
                return "cleared";
            });
            var keys = all.selector.keys();
            trial.op("the same", () -> all.selector.keys() == keys);
            trial.op("remove", () -> all.selector.selectedKeys().remove(all.key));
            trial.op("iterator", () -> {
                all.selector.selectNow();
                var iterator = all.selector.selectedKeys().iterator();
                iterator.next();
                iterator.remove();
                return iterator.hasNext();
            });
            count(trial, all.selector);
        });
        add(
                "of the provider",
                trial -> trial.note(trial.provider().openSelector().getClass().getModule() != null));
    }

    private static void keys() {
        add("a key", trial -> {
            Registered all = registered(trial, OP_READ);
            trial.state("key", all.key);
            trial.note((all.key.channel() == all.channel) + " " + (all.key.selector() == all.selector));
            trial.note(all.key.attachment());
            trial.note(all.key.attach("it"));
            trial.note(all.key.attachment());
            trial.note(all.channel.keyFor(all.selector) == all.key);
            trial.note(all.channel.keyFor(trial.selector()));
        });
        add("interest", trial -> {
            Registered all = registered(trial, 0);
            trial.op("none", () -> all.key.interestOps(0) == all.key);
            trial.op("accept", () -> all.key.interestOps(OP_ACCEPT));
            trial.op("unknown", () -> all.key.interestOps(2));
            trial.op("or", () -> all.key.interestOpsOr(OP_READ));
            trial.op("or accept", () -> all.key.interestOpsOr(OP_ACCEPT));
            trial.op("and", () -> all.key.interestOpsAnd(~OP_READ));
            trial.op("connect", () -> all.key.interestOps(OP_CONNECT) == all.key);
            trial.state("key", all.key);
        });
        add("registered twice", trial -> {
            Registered all = registered(trial, OP_READ);
            trial.op("again", () -> all.channel.register(all.selector, OP_WRITE, "new") == all.key);
            trial.note(all.key.attachment());
            trial.state("key", all.key);
            trial.op("without", () -> all.channel.register(all.selector, OP_READ) == all.key);
            trial.note(all.key.attachment());
            count(trial, all.selector);
        });
        add("cancelled", trial -> {
            Registered all = registered(trial, OP_WRITE);
            Trial.select(all.selector, all.key, OP_WRITE);
            all.key.cancel();
            all.key.cancel();
            trial.state("key", all.key);
            trial.op("or", () -> all.key.interestOpsOr(OP_READ));
            trial.note(all.key.channel() == all.channel);
            trial.state(all.channel);
            count(trial, all.selector);
            trial.op("again", () -> all.channel.register(all.selector, OP_READ));
            trial.op("selectNow", all.selector::selectNow);
            count(trial, all.selector);
            trial.state(all.channel);
            trial.note(all.channel.keyFor(all.selector));
            trial.op("again", () -> all.channel.register(all.selector, OP_READ).isValid());
        });
        add("blocking while registered", trial -> {
            Registered all = registered(trial, OP_READ);
            trial.op("blocking", () -> all.channel.configureBlocking(true));
            all.key.cancel();
            trial.op("cancelled", () -> all.channel.configureBlocking(true) == all.channel);
            trial.op("register", () -> all.channel.register(all.selector, OP_READ));
            trial.op("selectNow", all.selector::selectNow);
            trial.state(all.channel);
        });
        add("two selectors of one channel", trial -> {
            Registered all = registered(trial, OP_READ);
            Selector second = trial.selector();
            SelectionKey key = all.channel.register(second, OP_READ | OP_WRITE);
            all.peer.write(octets(1));
            Trial.select(all.selector, all.key, OP_READ);
            Trial.select(second, key, OP_READ | OP_WRITE);
            trial.state("first", all.key);
            trial.state("second", key);
            all.key.cancel();
            all.selector.selectNow();
            trial.note(all.channel.isRegistered() + " " + (all.channel.keyFor(second) == key));
        });
        add("a channel of a pipe, too", trial -> {
            Registered all = registered(trial, OP_READ);
            var pipe = trial.provider().openPipe();
            trial.closing(pipe.sink()).write(octets(1));
            SelectionKey key = nonBlocking(trial.closing(pipe.source())).register(all.selector, OP_READ);
            Trial.select(all.selector, key, OP_READ);
            trial.state("pipe", key);
            all.peer.write(octets(1));
            Trial.select(all.selector, all.key, OP_READ);
            trial.state("channel", all.key);
            count(trial, all.selector);
        });
        add("a datagram channel, too", trial -> {
            Registered all = registered(trial, 0);
            var datagrams = trial.closing(trial.provider().openDatagramChannel());
            SelectionKey key = nonBlocking(datagrams).register(all.selector, OP_WRITE);
            trial.op("select", all.selector::select);
            trial.state("datagrams", key);
            count(trial, all.selector);
        });
        add("a channel that is closed", trial -> {
            Registered all = registered(trial, OP_WRITE);
            Trial.select(all.selector, all.key, OP_WRITE);
            all.channel.close();
            trial.state("key", all.key);
            trial.state(all.channel);
            count(trial, all.selector);
            trial.op("selectNow", all.selector::selectNow);
            count(trial, all.selector);
            trial.state(all.channel);
        });
    }

    private static void readiness() {
        add("to write", trial -> {
            Registered all = registered(trial, OP_WRITE);
            trial.op("select", all.selector::select);
            trial.state("key", all.key);
            trial.op("again", all.selector::selectNow);
            trial.op("again", all.selector::select);
            all.selector.selectedKeys().clear();
            trial.op("cleared", all.selector::selectNow);
            all.key.interestOps(0);
            all.selector.selectedKeys().clear();
            trial.op("no interest", all.selector::selectNow);
            trial.state("key", all.key);
        });
        add("to read", trial -> {
            Registered all = registered(trial, OP_READ);
            trial.op("nothing", all.selector::selectNow);
            all.peer.write(octets(2));
            trial.op("select", all.selector::select);
            trial.state("key", all.key);
            trial.op("again", all.selector::selectNow);
            ByteBuffer target = ByteBuffer.allocate(1);
            trial.op("one of two", () -> all.channel.read(target));
            all.selector.selectedKeys().clear();
            trial.op("still", all.selector::selectNow);
            trial.op("the other", () -> all.channel.read(target.clear()));
            trial.op("none", () -> all.channel.read(target.clear()));
            trial.op("selected before", all.selector::selectNow);
            trial.state("key", all.key);
            all.selector.selectedKeys().clear();
            trial.op("nothing", all.selector::selectNow);
            count(trial, all.selector);
            trial.state("key", all.key);
        });
        add("ready for more while it is selected", trial -> {
            Registered all = registered(trial, OP_READ | OP_WRITE);
            trial.op("select", all.selector::select);
            trial.state("key", all.key);
            all.peer.write(octets(1));
            Trial.select(all.selector, all.key, OP_READ);
            trial.state("key", all.key);
            trial.op("nothing new", all.selector::selectNow);
            trial.op("nothing new", all.selector::select);
        });
        add("what was ready stays until it is removed", trial -> {
            Registered all = registered(trial, OP_READ);
            all.peer.write(octets(1));
            Trial.select(all.selector, all.key, OP_READ);
            all.channel.read(ByteBuffer.allocate(1));
            all.key.interestOps(OP_WRITE);
            trial.op("select", all.selector::select);
            trial.state("key", all.key);
            all.selector.selectedKeys().clear();
            trial.op("select", all.selector::select);
            trial.state("key", all.key);
        });
        add("to connect", trial -> {
            ServerSocketChannel listener = trial.listener();
            Selector selector = trial.selector();
            SocketChannel channel = nonBlocking(trial.channel());
            SelectionKey key = channel.register(selector, OP_CONNECT);
            channel.connect(listener.getLocalAddress());
            Trial.select(selector, key, OP_CONNECT);
            trial.state("key", key);
            trial.op("finish", channel::finishConnect);
            key.interestOps(OP_READ | OP_WRITE);
            trial.op("select", selector::select);
            trial.state("key", key);
            selector.selectedKeys().clear();
            trial.op("select", selector::select);
            trial.state("key", key);
        });
        add("connected, and still interested in that", trial -> {
            ServerSocketChannel listener = trial.listener();
            Selector selector = trial.selector();
            SocketChannel channel = nonBlocking(trial.channel());
            channel.connect(listener.getLocalAddress());
            SelectionKey key = channel.register(selector, OP_CONNECT | OP_WRITE);
            Trial.select(selector, key, OP_CONNECT);
            trial.state("key", key);
            channel.finishConnect();
            selector.selectedKeys().clear();
            Trial.select(selector, key, OP_WRITE);
            trial.state("key", key);
        });
        add("refused", trial -> {
            Selector selector = trial.selector();
            SocketChannel channel = nonBlocking(trial.channel());
            SelectionKey key = channel.register(selector, OP_CONNECT);
            trial.op("connect", () -> channel.connect(trial.nobody()));
            Trial.select(selector, key, OP_CONNECT);
            trial.state("key", key);
            trial.op("finish", channel::finishConnect);
            trial.state("key", key);
            trial.op("selectNow", selector::selectNow);
            count(trial, selector);
        });
        add("to accept", trial -> {
            ServerSocketChannel listener = nonBlocking(trial.unbound().bind(Trial.anyPort()));
            Selector selector = trial.selector();
            SelectionKey key = listener.register(selector, OP_ACCEPT);
            trial.op("nobody", selector::selectNow);
            trial.channel().connect(listener.getLocalAddress());
            Trial.select(selector, key, OP_ACCEPT);
            trial.state("key", key);
            selector.selectedKeys().clear();
            trial.op("still", selector::selectNow);
            trial.op("accept", () -> trial.closing(listener.accept()).isConnected());
            selector.selectedKeys().clear();
            trial.op("nobody", selector::selectNow);
            trial.op("accept", listener::accept);
        });
        add("registered before it is bound", trial -> {
            ServerSocketChannel listener = nonBlocking(trial.unbound());
            Selector selector = trial.selector();
            SelectionKey key = listener.register(selector, OP_ACCEPT);
            trial.op("selectNow", selector::selectNow);
            listener.bind(Trial.anyPort());
            trial.op("selectNow", selector::selectNow);
            trial.channel().connect(listener.getLocalAddress());
            Trial.select(selector, key, OP_ACCEPT);
            trial.state("key", key);
        });
        add("the end of the stream", trial -> {
            Registered all = registered(trial, OP_READ);
            all.peer.close();
            Trial.select(all.selector, all.key, OP_READ);
            trial.state("key", all.key);
            trial.op("read", () -> all.channel.read(ByteBuffer.allocate(1)));
            all.selector.selectedKeys().clear();
            trial.op("still", all.selector::selectNow);
        });
        add("a reset", trial -> {
            Registered all = registered(trial, OP_READ);
            Trial.abort(all.peer);
            Trial.select(all.selector, all.key, OP_READ);
            trial.op("read", () -> all.channel.read(ByteBuffer.allocate(1)));
            trial.op("again", () -> all.channel.read(ByteBuffer.allocate(1)));
        });
        add("its input is shut", trial -> {
            Registered all = registered(trial, OP_READ);
            all.channel.shutdownInput();
            trial.op("select", all.selector::select);
            trial.state("key", all.key);
            trial.op("read", () -> all.channel.read(ByteBuffer.allocate(1)));
        });
        add("its output is shut", trial -> {
            Registered all = registered(trial, OP_WRITE);
            all.channel.shutdownOutput();
            trial.op("select", all.selector::select);
            trial.state("key", all.key);
            trial.op("write", () -> all.channel.write(octets(1)));
        });
        add("full, and empty again", trial -> {
            Trial.Pair pair = trial.smallPair();
            Selector selector = trial.selector();
            SocketChannel channel = nonBlocking(pair.client());
            Registered all = new Registered(selector, channel, channel.register(selector, OP_WRITE), pair.server());
            ByteBuffer much = ByteBuffer.allocateDirect(1 << 14);
            long written = 0;
            for (int idle = 0; idle < 100; ) {
                int count = all.channel.write(much.clear());
                written += count;
                idle = count > 0 ? 0 : idle + 1;
                Thread.yield();
            }
            all.selector.selectedKeys().clear();
            trial.op("full", all.selector::selectNow);
            trial.note(Trial.take(all.peer, (int) written).remaining() == written);
            Trial.select(all.selector, all.key, OP_WRITE);
            trial.state("key", all.key);
        });
        add("not connected, to read and write", trial -> {
            Selector selector = trial.selector();
            SocketChannel channel = nonBlocking(trial.channel());
            SelectionKey key = channel.register(selector, 0);
            trial.op("selectNow", selector::selectNow);
            channel.connect(trial.nowhere());
            key.interestOps(OP_READ | OP_WRITE);
            trial.op("selectNow", selector::selectNow);
            trial.state("key", key);
        });
        add("many channels", trial -> {
            Selector selector = trial.selector();
            List<SocketChannel> peers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Trial.Pair pair = trial.pair();
                nonBlocking(pair.client()).register(selector, OP_READ, i);
                peers.add(pair.server());
            }
            trial.op("nothing", selector::selectNow);
            peers.get(3).write(octets(1));
            trial.op("one", selector::select);
            trial.note(selector.selectedKeys().iterator().next().attachment());
            for (SocketChannel each : peers) {
                each.write(octets(1));
            }
            long begun = System.nanoTime();
            while (selector.selectedKeys().size() < 8) {
                selector.select(100);
                Trial.requireTime(begun);
            }
            count(trial, selector);
        });
    }

    private static void waking() {
        add("wakeup before", trial -> {
            Registered all = registered(trial, OP_READ);
            all.selector.wakeup();
            all.selector.wakeup();
            trial.op("select", all.selector::select);
            trial.op("once", () -> all.selector.select(1));
        });
        add("wakeup is taken by selectNow", trial -> {
            Registered all = registered(trial, OP_READ);
            all.selector.wakeup();
            trial.op("selectNow", all.selector::selectNow);
            long begun = System.nanoTime();
            trial.op("select", () -> all.selector.select(10));
            trial.note(System.nanoTime() - begun >= 9_000_000);
        });
        add("wakeup meanwhile", trial -> {
            Registered all = registered(trial, OP_READ);
            Running running = trial.start(all.selector::select).awaitBlocked();
            all.selector.wakeup();
            trial.note(running.end());
        });
        add("an interrupt meanwhile", trial -> {
            Registered all = registered(trial, OP_READ);
            Running running = trial.start(all.selector::select).awaitBlocked();
            running.interrupt();
            trial.note(running.end());
            trial.note(all.selector.isOpen());
        });
        add("an interrupt before", trial -> {
            Registered all = registered(trial, OP_READ);
            Running running = trial.start(() -> {
                Thread.currentThread().interrupt();
                return all.selector.select() + " " + all.selector.selectNow();
            });
            trial.note(running.end());
        });
        add("a time that passes", trial -> {
            Registered all = registered(trial, OP_READ);
            long begun = System.nanoTime();
            trial.op("select", () -> all.selector.select(20));
            trial.note(System.nanoTime() - begun >= 19_000_000);
        });
        add("bytes meanwhile", trial -> {
            Registered all = registered(trial, OP_READ);
            Running running = trial.start(all.selector::select).awaitBlocked();
            all.peer.write(octets(1));
            trial.note(running.end());
            trial.state("key", all.key);
        });
        add("bytes meanwhile, on a virtual thread", trial -> {
            Registered all = registered(trial, OP_READ);
            Running running = trial.startVirtual(all.selector::select);
            all.peer.write(octets(1));
            trial.note(running.end());
            trial.state("key", all.key);
        });
        add("registered meanwhile", trial -> {
            Registered all = registered(trial, OP_READ);
            Running running = trial.start(all.selector::select).awaitBlocked();
            SocketChannel second = nonBlocking(trial.pair().server());
            SelectionKey key = second.register(all.selector, 0);
            trial.note(running.isOver());
            all.selector.wakeup();
            trial.note(running.end());
            trial.state("key", key);
            count(trial, all.selector);
        });
        add("cancelled meanwhile", trial -> {
            Registered all = registered(trial, OP_READ);
            Running running = trial.start(all.selector::select).awaitBlocked();
            all.key.cancel();
            trial.note(running.isOver());
            all.selector.wakeup();
            trial.note(running.end());
            count(trial, all.selector);
        });
        add("its only channel is closed meanwhile", trial -> {
            Registered all = registered(trial, OP_READ);
            Running running = trial.start(all.selector::select).awaitBlocked();
            all.channel.close();
            trial.note(running.isOver());
            all.selector.wakeup();
            trial.note(running.end());
            count(trial, all.selector);
        });
    }

    private static void consumers() {
        add("a consumer", trial -> {
            Registered all = registered(trial, OP_WRITE);
            trial.op("select", () -> all.selector.select(key -> trial.note(Trial.ops(key.readyOps()))));
            trial.op("in time", () -> all.selector.select(key -> trial.note(key == all.key), 1000));
            trial.op("now", () -> all.selector.selectNow(key -> trial.note(key.isReadable())));
            count(trial, all.selector);
            all.key.interestOps(0);
            trial.op("nothing", () -> all.selector.select(key -> trial.note("key"), 1));
            trial.op("null", () -> all.selector.select(null));
            trial.op("negative", () -> all.selector.select(key -> {}, -1));
        });
        add("a consumer does not see what was selected", trial -> {
            Registered all = registered(trial, OP_WRITE);
            Trial.select(all.selector, all.key, OP_WRITE);
            trial.op("select", () -> all.selector.selectNow(key -> trial.note(Trial.ops(key.readyOps()))));
            trial.op("selected", () -> all.selector.selectedKeys().contains(all.key));
        });
        add("a consumer that throws", trial -> {
            Registered all = registered(trial, OP_WRITE);
            trial.op(
                    "select",
                    () -> all.selector.select(key -> {
                        throw new IllegalArgumentException("thrown");
                    }));
            trial.op("selectNow", all.selector::selectNow);
        });
        add("a consumer that cancels", trial -> {
            Registered all = registered(trial, OP_WRITE);
            trial.op("select", () -> all.selector.select(SelectionKey::cancel));
            trial.op("keys", () -> all.selector.keys().size());
            trial.op("selectNow", all.selector::selectNow);
            count(trial, all.selector);
        });
        add("a consumer that closes", trial -> {
            Registered all = registered(trial, OP_WRITE);
            trial.op(
                    "select",
                    () -> all.selector.select(key -> {
                        try {
                            all.selector.close();
                        } catch (java.io.IOException e) {
                            throw new java.io.UncheckedIOException(e);
                        }
                    }));
            trial.note(all.selector.isOpen());
        });
        add("a consumer that selects", trial -> {
            Registered all = registered(trial, OP_WRITE);
            trial.op("select", () -> all.selector.select(key -> trial.op("select", all.selector::selectNow)));
        });
    }

    private static void closing() {
        add("closed meanwhile", trial -> {
            Registered all = registered(trial, OP_READ);
            Running running = trial.start(all.selector::select).awaitBlocked();
            all.selector.close();
            trial.note(running.end());
            trial.state("key", all.key);
            trial.state(all.channel);
        });
        add("closed meanwhile, with nothing registered", trial -> {
            Selector selector = trial.selector();
            Running running = trial.start(selector::select).awaitBlocked();
            selector.close();
            trial.note(running.end());
        });
        add("closed meanwhile, in time", trial -> {
            Registered all = registered(trial, OP_READ);
            Running running = trial.start(() -> all.selector.select(60_000)).awaitBlocked();
            all.selector.close();
            trial.note(running.end());
        });
        add("closed meanwhile, with a channel of the JDK's", trial -> {
            Registered all = registered(trial, OP_READ);
            nonBlocking(trial.closing(trial.provider().openDatagramChannel())).register(all.selector, OP_READ);
            Running running = trial.start(all.selector::select).awaitBlocked();
            all.selector.close();
            trial.note(running.end());
        });
        add("closed meanwhile, with a consumer", trial -> {
            Registered all = registered(trial, OP_READ);
            Running running = trial.start(() -> all.selector.select(key -> {})).awaitBlocked();
            all.selector.close();
            trial.note(running.end());
        });
        add("closed, its channels stay open", trial -> {
            Registered all = registered(trial, OP_READ);
            Set<SelectionKey> keys = all.selector.keys();
            Set<SelectionKey> selected = all.selector.selectedKeys();
            all.selector.close();
            trial.state("key", all.key);
            trial.state(all.channel);
            trial.note(keys.size() + " " + selected.size());
            trial.note(all.channel.keyFor(all.selector));
            trial.op("blocking", () -> all.channel.configureBlocking(true) == all.channel);
            all.peer.write(octets(1));
            trial.op("read", () -> all.channel.read(ByteBuffer.allocate(1)));
        });
    }
}
