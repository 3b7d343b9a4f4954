package org.panamaverbs.testkit.soak;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAccumulator;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.testkit.random.SeededRandom;
import org.panamaverbs.testkit.soak.ledger.Faults;
import org.panamaverbs.testkit.soak.ledger.Tally.Count;
import org.panamaverbs.testkit.soak.line.Life;
import org.panamaverbs.testkit.soak.line.Outgoing;
import org.panamaverbs.testkit.soak.line.Party;
import org.panamaverbs.testkit.soak.line.Texts;
import org.panamaverbs.testkit.soak.traffic.Hello;

/** The peers' processes: started, killed and started anew by one thread, asked for by any. */
final class Fleet {
    private static final long STOP_SECONDS = 60;
    private static final int ONE_HOSTILE_IN = 40;

    private final Party party;
    private final SoakOptions options;
    private final LongAccumulator worstNanos = new LongAccumulator(Math::max, 0);
    private final Peer[] peers;
    private int incarnations;

    /** One peer, which is many processes one after the other. */
    private final class Peer implements Outgoing {
        private final int index;
        private final SeededRandom random;
        private volatile @Nullable Process process;
        private volatile Life life = new Life(worstNanos);
        private volatile int incarnation;
        private volatile @Nullable InetSocketAddress address;
        private volatile @Nullable InetSocketAddress hostile;
        private @Nullable Thread reader;

        Peer(int index) {
            this.index = index;
            random = new SeededRandom(options.seed() + index);
        }

        @Override
        public @Nullable Target target() {
            InetSocketAddress to = address;
            InetSocketAddress toHostile = hostile;
            boolean attacked;
            synchronized (random) {
                attacked = random.oneIn(ONE_HOSTILE_IN);
            }
            if (attacked && toHostile != null) {
                return new Target(toHostile, null, true);
            }
            return to == null ? null : new Target(to, life, false);
        }

        void start() throws IOException {
            Life mine = new Life(worstNanos);
            incarnation = incarnations++;
            life = mine;
            Process started = new ProcessBuilder(command(this))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            process = started;
            reader = Thread.ofPlatform().daemon().name("soak-peer-" + index).start(() -> read(started, mine));
        }

        private void read(Process from, Life mine) {
            boolean done = false;
            try (BufferedReader lines = from.inputReader()) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    done |= line.startsWith("done ");
                    heard(line);
                }
            } catch (IOException e) {
                // Its output ends with it, in whatever way.
                done |= mine.isKilled();
            }
            if (!done && !mine.isKilled()) {
                party.faults().report(Faults.Kind.PEER, "peer " + index + " ended by itself: " + from);
            }
        }

        private void heard(String line) {
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "ready" -> {
                    int port = Integer.parseInt(words[2]);
                    hostile = port == 0 ? null : new InetSocketAddress(options.address(), port);
                    address = new InetSocketAddress(options.address(), Integer.parseInt(words[1]));
                }
                case "fault" -> party.faults().report(Faults.Kind.PEER, "peer " + index + ": " + line);
                case "done" -> {}
                default -> System.err.println("peer " + index + ": " + line);
            }
        }

        void kill() {
            address = null;
            hostile = null;
            life.kill(System.nanoTime());
            end(true);
            party.tally().add(Count.KILLS);
        }

        void stop() {
            address = null;
            hostile = null;
            end(false);
        }

        private void end(boolean now) {
            Process its = process;
            Thread itsReader = reader;
            if (its == null || itsReader == null) {
                return;
            }
            try {
                if (now) {
                    its.destroyForcibly();
                }
                its.getOutputStream().close();
                if (!its.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                    party.faults().report(Faults.Kind.PEER, "peer " + index + " did not end");
                    its.destroyForcibly().waitFor();
                }
                itsReader.join();
            } catch (IOException e) {
                party.faults().report(Faults.Kind.SOAK, Texts.of(e));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            process = null;
        }
    }

    /** Makes a fleet of peers that are not started yet. */
    Fleet(Party party, SoakOptions options) {
        this.party = party;
        this.options = options;
        peers = new Peer[options.peers()];
        for (int i = 0; i < peers.length; i++) {
            peers[i] = new Peer(i);
        }
    }

    /** Returns whom line {@code index} connects to. */
    Outgoing outgoing(int index) {
        return peers[index % peers.length];
    }

    /** Returns the process that said {@code hello}, null if that is a hostile one. */
    @Nullable
    Life life(Hello hello) {
        if (hello.peer() < 0 || hello.peer() >= peers.length) {
            return null;
        }
        Peer peer = peers[hello.peer()];
        // A line of a former process may be accepted after its death.
        return peer.incarnation == hello.incarnation() ? peer.life : null;
    }

    /** Starts all peers. */
    void start() throws IOException {
        for (Peer peer : peers) {
            peer.start();
        }
    }

    /** Kills a peer that is ready as {@code kill -9} does and starts another in its place; false if none is ready. */
    boolean killOne(SeededRandom random) throws IOException {
        List<Peer> ready = new ArrayList<>(List.of(peers));
        ready.removeIf(peer -> peer.address == null);
        if (ready.isEmpty()) {
            return false;
        }
        Peer victim = ready.get(random.below(ready.size()));
        victim.kill();
        victim.start();
        return true;
    }

    /** Has all peers end gracefully and waits for them. */
    void stop() {
        List<Thread> stopping = new ArrayList<>();
        for (Peer peer : peers) {
            stopping.add(Thread.ofPlatform().name("soak-stop-" + peer.index).start(peer::stop));
        }
        for (Thread thread : stopping) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns how long a line to a killed peer took at the longest to report all that was flushed. */
    long worstNanos() {
        return worstNanos.get();
    }

    private List<String> command(Peer peer) {
        int accepted = options.connections() - options.connections() / 2;
        int connects = accepted / peers.length + (peer.index < accepted % peers.length ? 1 : 0);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-XX:-UsePerfData",
                "--enable-native-access=ALL-UNNAMED"));
        String archive = System.getProperty("soak.archive");
        if (archive != null) {
            command.add("-XX:SharedArchiveFile=" + archive);
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), SoakPeer.class.getName()));
        command.addAll(List.of(
                options.provider(),
                options.device(),
                options.address(),
                Integer.toString(party.address().getPort()),
                Integer.toString(peer.index),
                Integer.toString(peer.incarnation),
                Integer.toString(options.connections() / peers.length + 1),
                Integer.toString(connects),
                Long.toString(options.boundMillis()),
                Integer.toString(options.sharedPercent()),
                Long.toString(options.seed())));
        return command;
    }
}
