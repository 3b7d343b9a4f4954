package org.panamaverbs.sockets.contract;

import static org.panamaverbs.sockets.contract.Trial.octets;

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Streams, readers and files over channels, and the streams of their sockets. */
@SuppressWarnings("ReferenceEquality") // the contract names the object that is returned
final class StreamCases {
    private StreamCases() {}

    private static final List<Case> CASES = new ArrayList<>();

    /** More than a connection takes while nobody reads. */
    private static final int MUCH = 1_000_000;

    private static void add(String name, Case.Program program) {
        CASES.add(new Case("streams: " + name, program));
    }

    static List<Case> all() {
        if (CASES.isEmpty()) {
            ofChannels();
            ofSockets();
            files();
        }
        return List.copyOf(CASES);
    }

    private static void ofChannels() {
        add("a channel's, read and written", trial -> {
            Trial.Pair pair = trial.pair();
            OutputStream out = Channels.newOutputStream(pair.client());
            InputStream in = Channels.newInputStream(pair.server());
            out.write(7);
            out.write(new byte[] {1, 2, 3}, 1, 2);
            trial.note(in.read());
            trial.note(in.readNBytes(2).length);
            pair.client().shutdownOutput();
            trial.note(in.read() + " " + in.read(new byte[3]));
            trial.op("written after the end", () -> {
                out.write(1);
                return "written";
            });
        });
        add("a channel's, written while another thread reads", trial -> {
            Trial.Pair pair = trial.pair();
            InputStream in = Channels.newInputStream(pair.client());
            Running reading = trial.start(in::read).awaitBlocked();
            Running writing = trial.start(() -> {
                Channels.newOutputStream(pair.client()).write(5);
                return "written";
            });
            trial.note(writing.end());
            trial.note(Trial.take(pair.server(), 1).get(0));
            pair.server().write(octets(1));
            trial.note(reading.end());
        });
        add("a channel's, read while another thread writes", trial -> {
            Trial.Pair pair = trial.smallPair();
            OutputStream out = Channels.newOutputStream(pair.client());
            Running writing = trial.start(() -> {
                out.write(new byte[MUCH]);
                return "written";
            });
            pair.server().write(octets(3));
            Running reading =
                    trial.start(() -> Channels.newInputStream(pair.client()).readNBytes(3).length);
            trial.note(reading.end());
            trial.note(Trial.take(pair.server(), MUCH).remaining());
            trial.note(writing.end());
        });
        add("a channel's, both directions full", trial -> {
            Trial.Pair pair = trial.smallPair();
            Running to = trial.start(() -> {
                Channels.newOutputStream(pair.client()).write(new byte[MUCH]);
                return "written";
            });
            Running from = trial.start(() -> {
                Channels.newOutputStream(pair.server()).write(new byte[MUCH]);
                return "written";
            });
            Running atServer =
                    trial.start(() -> Channels.newInputStream(pair.server()).readNBytes(MUCH).length);
            Running atClient =
                    trial.start(() -> Channels.newInputStream(pair.client()).readNBytes(MUCH).length);
            trial.note(to.end() + from.end() + atServer.end() + atClient.end());
        });
        add("a channel's, two read", trial -> {
            Trial.Pair pair = trial.pair();
            Running first =
                    trial.start(Channels.newInputStream(pair.client())::read).awaitBlocked();
            Running second =
                    trial.start(Channels.newInputStream(pair.client())::read).awaitBlocked();
            pair.server().write(ByteBuffer.wrap(new byte[] {4, 4}));
            trial.note(first.end() + " " + second.end());
        });
        add("a channel's, closed while it is read", trial -> {
            Trial.Pair pair = trial.pair();
            Running reading =
                    trial.start(Channels.newInputStream(pair.client())::read).awaitBlocked();
            pair.client().close();
            trial.note(reading.end());
        });
        add("a channel's, interrupted while it is read", trial -> {
            Trial.Pair pair = trial.pair();
            Running reading =
                    trial.start(Channels.newInputStream(pair.client())::read).awaitBlocked();
            reading.interrupt();
            trial.note(reading.end());
            trial.state(pair.client());
        });
        add("a channel's, on a virtual thread", trial -> {
            Trial.Pair pair = trial.pair();
            Running reading = trial.startVirtual(Channels.newInputStream(pair.client())::read)
                    .awaitBlocked();
            Channels.newOutputStream(pair.client()).write(1);
            pair.server().write(octets(1));
            trial.note(reading.end());
        });
        add("a channel's mode is changed while it is read", trial -> {
            Trial.Pair pair = trial.pair();
            Running reading =
                    trial.start(Channels.newInputStream(pair.client())::read).awaitBlocked();
            Running changing = trial.start(() -> pair.client().configureBlocking(false) == pair.client());
            pair.server().write(octets(1));
            trial.note(reading.end());
            trial.note(changing.end());
            trial.state(pair.client());
        });
        add("a channel's that does not block", trial -> {
            SocketChannel channel = Trial.nonBlocking(trial.pair().client());
            trial.op("read", Channels.newInputStream(channel)::read);
            trial.op("write", () -> {
                Channels.newOutputStream(channel).write(1);
                return "written";
            });
            trial.op("close", () -> {
                Channels.newInputStream(channel).close();
                return channel.isOpen();
            });
        });
        add("a channel's, available", trial -> {
            Trial.Pair pair = trial.pair();
            pair.server().write(octets(4));
            trial.awaitReadable(pair.client());
            trial.note(Channels.newInputStream(pair.client()).available());
        });
        add("a channel's reader and writer", trial -> {
            Trial.Pair pair = trial.pair();
            var writer = Channels.newWriter(pair.client(), StandardCharsets.UTF_8);
            writer.write("täglich\n");
            writer.flush();
            BufferedReader reader = new BufferedReader(Channels.newReader(pair.server(), StandardCharsets.UTF_8));
            trial.note(reader.readLine());
        });
        add("both sides of a conversation by lines", trial -> {
            Trial.Pair pair = trial.pair();
            Running server = trial.start(() -> {
                BufferedReader in = new BufferedReader(Channels.newReader(pair.server(), StandardCharsets.UTF_8));
                OutputStream out = Channels.newOutputStream(pair.server());
                int lines = 0;
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    out.write((line + "!\n").getBytes(StandardCharsets.UTF_8));
                    lines++;
                }
                return lines;
            });
            BufferedReader in = new BufferedReader(Channels.newReader(pair.client(), StandardCharsets.UTF_8));
            OutputStream out = Channels.newOutputStream(pair.client());
            for (int i = 0; i < 10; i++) {
                out.write(("line " + i + "\n").getBytes(StandardCharsets.UTF_8));
                trial.note(in.readLine());
            }
            pair.client().shutdownOutput();
            trial.note(server.end());
            trial.note(pair.client().isOpen());
        });
    }

    private static void ofSockets() {
        add("a socket's, available and ready", trial -> {
            Trial.Pair pair = trial.pair();
            InputStream in = pair.client().socket().getInputStream();
            BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            trial.note(in.available() + " " + reader.ready());
            pair.server().write(octets(4));
            trial.awaitReadable(pair.client());
            trial.note(in.available() + " " + reader.ready());
            trial.note(in.skip(1) + " " + in.available());
            trial.note(in.readNBytes(3).length + " " + in.available());
            pair.server().shutdownOutput();
            trial.awaitReadable(pair.client());
            trial.note(in.available() + " " + in.read());
            pair.client().shutdownInput();
            trial.op("shut", in::available);
            pair.client().close();
            trial.op("closed", in::available);
        });
        add("a socket's, written while another thread reads", trial -> {
            Trial.Pair pair = trial.pair();
            Socket socket = pair.client().socket();
            Running reading = trial.start(socket.getInputStream()::read).awaitBlocked();
            Running writing = trial.start(() -> {
                socket.getOutputStream().write(5);
                return "written";
            });
            trial.note(writing.end());
            pair.server().write(octets(1));
            trial.note(reading.end());
        });
        add("a socket's, in time", trial -> {
            Trial.Pair pair = trial.pair();
            Socket socket = pair.client().socket();
            socket.setSoTimeout(10);
            trial.op("nothing", () -> socket.getInputStream().read());
            trial.state(pair.client());
            pair.server().write(octets(1));
            trial.awaitReadable(pair.client());
            trial.op("a byte", () -> socket.getInputStream().read());
            socket.setSoTimeout(20_000);
            Running reading = trial.start(socket.getInputStream()::read).awaitBlocked();
            pair.server().write(octets(1));
            trial.note(reading.end());
        });
        add("a socket's, closed and interrupted while it is read", trial -> {
            Trial.Pair pair = trial.pair();
            Running closed =
                    trial.start(pair.client().socket().getInputStream()::read).awaitBlocked();
            pair.client().socket().close();
            trial.note(closed.end());
            Running interrupted = trial.start(pair.server().socket().getInputStream()::read);
            trial.note(interrupted.end());
            SocketChannel third = trial.pair().client();
            Running last = trial.start(third.socket().getInputStream()::read).awaitBlocked();
            last.interrupt();
            trial.note(last.end());
        });
        add("a socket's, closed by its stream", trial -> {
            Trial.Pair pair = trial.pair();
            pair.client().socket().getOutputStream().close();
            trial.state(pair.client());
            trial.op("input", () -> pair.client().socket().getInputStream());
            trial.note(pair.server().socket().getInputStream().read());
        });
        add("a socket's, all bytes of an array", trial -> {
            Trial.Pair pair = trial.smallPair();
            Running writing = trial.start(() -> {
                pair.client().socket().getOutputStream().write(new byte[MUCH]);
                pair.client().shutdownOutput();
                return "written";
            });
            trial.note(pair.server().socket().getInputStream().readAllBytes().length);
            trial.note(writing.end());
        });
    }

    private static void files() {
        add("a file to a channel and back", trial -> {
            Trial.Pair pair = trial.pair();
            Path file = Files.createTempFile("contract", null);
            trial.closing(() -> Files.delete(file));
            Files.write(file, new byte[100_000]);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                trial.note(channel.transferTo(0, 100_000, pair.client()) > 0);
                pair.client().shutdownOutput();
                trial.note(channel.transferFrom(pair.server(), 0, 1000));
            }
        });
    }
}
