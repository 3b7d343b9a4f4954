package org.panamaverbs.examples.devices;

import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.memory.Access.LOCAL_WRITE;

import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Event;
import org.panamaverbs.api.EventQueue;
import org.panamaverbs.api.Events;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.examples.command.Arguments;
import org.panamaverbs.examples.command.Example;
import org.panamaverbs.examples.command.Option;
import org.panamaverbs.examples.command.TwoEnds;
import org.panamaverbs.examples.command.UsageException;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.Resources;

/** A server that one port reaches through each adapter of the machine, with one thread. */
public final class Devices implements Example {
    private static final int BYTES = 64;

    @Override
    public String name() {
        return "devices";
    }

    @Override
    public String summary() {
        return "one listener and one event queue for all adapters of a machine";
    }

    @Override
    public List<Option> options() {
        return TwoEnds.options(new Option("devices", "NAMES", "default", "which, with commas between; default: one"));
    }

    @Override
    public void run(Arguments arguments, PrintWriter out) throws Exception {
        List<OpenConfig> configs = new ArrayList<>();
        for (String name : arguments.text("devices").split(",", -1)) {
            OpenConfig config = OpenConfig.fromEnvironment();
            configs.add(name.equals("default") ? config : config.withDevice(name));
        }
        if (configs.stream().distinct().count() < configs.size()) {
            throw new UsageException("--devices names a device twice");
        }
        TwoEnds.run(arguments, out, ends -> serve(ends, configs), ends -> call(ends, configs));
    }

    /** Takes one message from a peer through each device. */
    private static void serve(TwoEnds ends, List<OpenConfig> configs) {
        try (var resources = new Resources()) {
            List<Verbs> all = new ArrayList<>();
            configs.forEach(config -> all.add(resources.add(Verbs.open(config))));
            Verbs first = all.getFirst();
            Map<Verbs, Side> sides = new HashMap<>();
            EventQueue events = resources.add(first.eventQueue());
            for (Verbs verbs : all) {
                Side side = new Side(verbs, resources);
                events.add(side.channel, side);
                sides.put(verbs, side);
            }
            var anywhere = new InetSocketAddress(ends.listenAddress().getPort());
            var listener = resources.add(first.listen(anywhere, ListenerConfig.defaults(), all.subList(1, all.size())));
            events.add(listener, "listener");
            ends.listening(new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), listener.localAddress().getPort()));

            List<Connection> connections = new ArrayList<>();
            Events some = Events.ofCapacity(1);
            int open = all.size();
            // A message may come before the event of its connection.
            while (open > 0 || connections.size() < all.size()) {
                if (events.await(some, ends.deadline()) == 0) {
                    throw new IllegalStateException(open + " of " + all.size() + " peers are missing");
                }
                Event event = some.get(0);
                switch (event.type()) {
                    case CONNECT_REQUEST -> {
                        // Its domain and queue, no other's.
                        Side side =
                                Objects.requireNonNull(sides.get(event.request().verbs()));
                        events.add(
                                event.request()
                                        .beginAccept(side.queuePair, ConnectionConfig.defaults(), ends.deadline()),
                                side);
                    }
                    case ESTABLISHED -> connections.add(resources.add(event.connection()));
                    case COMPLETION -> {
                        if (event.attachment() instanceof Side side) {
                            side.take(ends);
                            open--;
                        }
                    }
                    default -> throw new IllegalStateException(event.toString());
                }
            }
            connections.forEach(connection -> connection.awaitDisconnect(ends.deadline()));
        }
    }

    /** Sends a message through each device, to the server's address on it where both are on this machine. */
    private static void call(TwoEnds ends, List<OpenConfig> configs) throws Exception {
        InetSocketAddress server = ends.server();
        for (OpenConfig config : configs) {
            try (var verbs = Verbs.open(config);
                    var domain = verbs.protectionDomain();
                    var words = domain.allocate(BYTES, LOCAL_WRITE);
                    var queue = verbs.completionQueue(4);
                    var connection =
                            verbs.connect(at(verbs, server), QueuePairConfig.of(domain, queue), ends.deadline())) {
                words.segment().setString(0, "Hello through " + verbs.device().name());
                PostStatus.check(connection.queuePair().send(1, words, 0, BYTES, SIGNALED));
                await(queue, ends.deadline());
                connection.disconnect(ends.deadline());
            }
        }
    }

    private static InetSocketAddress at(Verbs verbs, InetSocketAddress server) {
        if (!server.getAddress().isLoopbackAddress()) {
            return server;
        }
        InetAddress host = verbs.device().ports().stream()
                .filter(DeviceInfo.Port::active)
                .flatMap(port -> port.addresses().stream())
                .map(InetAddress::ofLiteral)
                .filter(address -> !address.isLinkLocalAddress())
                .min(Comparator.comparingInt(address -> address.getAddress().length)) // the server's are IPv4
                .orElse(server.getAddress());
        return new InetSocketAddress(host, server.getPort());
    }

    private static void await(CompletionQueue queue, Deadline deadline) {
        var completions = WorkCompletions.ofCapacity(1);
        queue.poll(completions, deadline);
        if (!completions.get(0).ok()) {
            throw new IllegalStateException(completions.get(0).toString());
        }
    }

    /** What the server has of one device: objects of one are of no use to another. */
    private static final class Side {
        private final String device;
        private final RegisteredBuffer words;
        private final CompletionChannel channel;
        private final CompletionQueue queue;
        private final QueuePair queuePair;

        Side(Verbs verbs, Resources resources) {
            device = verbs.device().name();
            var domain = resources.add(verbs.protectionDomain());
            words = resources.add(domain.allocate(BYTES, LOCAL_WRITE));
            channel = resources.add(verbs.completionChannel());
            queue = resources.add(
                    verbs.completionQueue(CompletionQueueConfig.of(4).withChannel(channel)));
            queuePair = resources.add(domain.queuePair(QueuePairConfig.of(domain, queue)));
            PostStatus.check(queuePair.recv(1, words));
            queue.arm(false);
        }

        /** Takes the message, whose completion the channel has an event of. */
        void take(TwoEnds ends) {
            await(queue, ends.deadline());
            ends.say("server: \"%s\" came through %s", words.segment().getString(0), device);
        }
    }
}
