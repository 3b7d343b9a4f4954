package org.panamaverbs.sockets.contract;

import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import jdk.net.ExtendedSocketOptions;

/** Every option of both kinds of channels: what it is, what it takes, what becomes of it. */
@SuppressWarnings("ReferenceEquality") // the contract names the object that is returned
final class OptionCases {
    private OptionCases() {}

    /** What is set, and read back; and what is refused. */
    private record Values<T>(SocketOption<T> option, List<T> taken, List<T> refused) {}

    // Sizes and TCP_QUICKACK are the kernel's to change.
    private static final List<Values<?>> OF_CHANNELS = List.of(
            new Values<>(StandardSocketOptions.TCP_NODELAY, List.of(true, false), List.of()),
            new Values<>(StandardSocketOptions.SO_KEEPALIVE, List.of(true, false), List.of()),
            new Values<>(StandardSocketOptions.SO_REUSEADDR, List.of(true, false), List.of()),
            new Values<>(StandardSocketOptions.SO_REUSEPORT, List.of(true, false), List.of()),
            new Values<>(StandardSocketOptions.SO_LINGER, List.of(0, 7, -1, -7, 65_536), List.of()),
            new Values<>(StandardSocketOptions.IP_TOS, List.of(8, 0), List.of(-1, 256)),
            new Values<>(ExtendedSocketOptions.TCP_KEEPIDLE, List.of(30, 7200), List.of(0, -1, 32_768)),
            new Values<>(ExtendedSocketOptions.TCP_KEEPINTERVAL, List.of(5, 75), List.of(0, -1, 32_768)),
            new Values<>(ExtendedSocketOptions.TCP_KEEPCOUNT, List.of(3, 9), List.of(0, -1, 128)),
            new Values<>(ExtendedSocketOptions.SO_INCOMING_NAPI_ID, List.of(), List.of(1)),
            new Values<>(StandardSocketOptions.SO_BROADCAST, List.of(true), List.of()),
            new Values<>(ExtendedSocketOptions.IP_DONTFRAGMENT, List.of(true), List.of()));

    private static final List<Values<Integer>> SIZES = List.of(
            new Values<>(StandardSocketOptions.SO_SNDBUF, List.of(30_000), List.of(-1)),
            new Values<>(StandardSocketOptions.SO_RCVBUF, List.of(30_000), List.of(-1)));

    private static <T> void values(Trial trial, NetworkChannel channel, Values<T> values) {
        trial.op("initial", () -> channel.getOption(values.option));
        for (T each : values.taken) {
            trial.op("set " + each, () -> channel.setOption(values.option, each) == channel);
            trial.op("get", () -> channel.getOption(values.option));
        }
        for (T each : values.refused) {
            trial.op("set " + each, () -> channel.setOption(values.option, each) == channel);
        }
        trial.op("get", () -> channel.getOption(values.option));
    }

    private static void sizes(Trial trial, NetworkChannel channel, Values<Integer> values) {
        trial.op("initial", () -> channel.getOption(values.option) > 0);
        for (int each : values.taken) {
            trial.op("set " + each, () -> channel.setOption(values.option, each) == channel);
            trial.op("get", () -> channel.getOption(values.option) >= each);
        }
        for (int each : values.refused) {
            trial.op("set " + each, () -> channel.setOption(values.option, each) == channel);
        }
        trial.op("set 0", () -> channel.setOption(values.option, 0) == channel);
    }

    static List<Case> all() {
        List<Case> all = new ArrayList<>();
        for (Values<?> each : OF_CHANNELS) {
            all.add(new Case(each.option + " of a channel", trial -> values(trial, trial.channel(), each)));
            all.add(new Case(
                    each.option + " of a channel that is connected",
                    trial -> values(trial, trial.pair().client(), each)));
            all.add(new Case(each.option + " of a listener", trial -> values(trial, trial.unbound(), each)));
        }
        for (Values<Integer> each : SIZES) {
            all.add(new Case(each.option + " of a channel", trial -> sizes(trial, trial.channel(), each)));
            all.add(new Case(
                    each.option + " of a channel that is connected",
                    trial -> sizes(trial, trial.pair().client(), each)));
            all.add(new Case(each.option + " of a listener", trial -> sizes(trial, trial.unbound(), each)));
        }
        all.add(new Case("options of a channel", trial -> {
            trial.note(names(trial.channel()));
            trial.note(names(trial.pair().client()));
        }));
        all.add(new Case("options of a listener", trial -> trial.note(names(trial.unbound()))));
        all.add(new Case("TCP_QUICKACK", trial -> {
            SocketChannel channel = trial.channel();
            ServerSocketChannel listener = trial.unbound();
            trial.op("channel", () -> channel.setOption(ExtendedSocketOptions.TCP_QUICKACK, true) == channel);
            trial.op("listener", () -> listener.setOption(ExtendedSocketOptions.TCP_QUICKACK, false) == listener);
            trial.op("listener", () -> listener.getOption(ExtendedSocketOptions.TCP_QUICKACK));
        }));
        all.add(new Case("options that what is accepted has of its listener", trial -> {
            ServerSocketChannel listener = trial.unbound();
            trial.op("buffer", () -> listener.setOption(StandardSocketOptions.SO_RCVBUF, 300_000) == listener);
            trial.op("idle", () -> listener.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, 44) == listener);
            trial.op("count", () -> listener.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, 4) == listener);
            listener.bind(Trial.anyPort());
            trial.channel().connect(listener.getLocalAddress());
            SocketChannel accepted = trial.closing(listener.accept());
            trial.op(
                    "buffer",
                    () -> accepted.getOption(StandardSocketOptions.SO_RCVBUF)
                            .equals(listener.getOption(StandardSocketOptions.SO_RCVBUF)));
            trial.op("idle", () -> accepted.getOption(ExtendedSocketOptions.TCP_KEEPIDLE));
            trial.op("count", () -> accepted.getOption(ExtendedSocketOptions.TCP_KEEPCOUNT));
            trial.op("reuse", () -> accepted.getOption(StandardSocketOptions.SO_REUSEADDR));
            trial.op("no delay", () -> accepted.getOption(StandardSocketOptions.TCP_NODELAY));
        }));
        all.add(new Case("options that are set before it connects", trial -> {
            SocketChannel channel = trial.channel();
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true)
                    .setOption(StandardSocketOptions.SO_KEEPALIVE, true)
                    .setOption(ExtendedSocketOptions.TCP_KEEPIDLE, 55)
                    .setOption(StandardSocketOptions.SO_LINGER, 5)
                    .setOption(StandardSocketOptions.IP_TOS, 16);
            channel.socket().setOOBInline(true);
            channel.connect(trial.listener().getLocalAddress());
            trial.op("no delay", () -> channel.getOption(StandardSocketOptions.TCP_NODELAY));
            trial.op("keepalive", () -> channel.getOption(StandardSocketOptions.SO_KEEPALIVE));
            trial.op("idle", () -> channel.getOption(ExtendedSocketOptions.TCP_KEEPIDLE));
            trial.op("linger", () -> channel.getOption(StandardSocketOptions.SO_LINGER));
            trial.op("class", () -> channel.getOption(StandardSocketOptions.IP_TOS));
            trial.op("out of band", () -> channel.socket().getOOBInline());
            channel.setOption(StandardSocketOptions.SO_LINGER, -1);
        }));
        all.add(new Case("urgent data", trial -> {
            SocketChannel channel = trial.pair().client();
            trial.op("send", () -> {
                channel.socket().sendUrgentData(7);
                return "sent";
            });
        }));
        return all;
    }

    private static List<String> names(NetworkChannel channel) {
        return channel.supportedOptions().stream()
                .map(SocketOption::name)
                .sorted()
                .toList();
    }
}
