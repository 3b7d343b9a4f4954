package org.panamaverbs.iwarp.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.panamaverbs.iwarp.core.PeerMemory;
import org.panamaverbs.iwarp.core.memory.Protection;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.core.memory.StagTable;
import org.panamaverbs.iwarp.net.unix.SealedFile;
import org.panamaverbs.iwarp.net.unix.UnixName;
import org.panamaverbs.iwarp.net.unix.UnixServer;
import org.panamaverbs.iwarp.net.unix.UnixSocket;
import org.panamaverbs.memory.Access;

/** Both sides of a connection's direct access in this process, without the connection: one owns memory, one reaches. */
public final class TwoLinks implements AutoCloseable {
    static final int DOMAIN = 1;
    /** Of the queue pairs on both sides. */
    static final int NUMBER = 17;

    private static final int RING_BYTES = RingLayout.MIN_RING_BYTES;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final AtomicInteger NAMES = new AtomicInteger();

    final DirectDomains domains = new DirectDomains(() -> "");
    final StagTable stags;
    /** The owner's. */
    public final DirectDomain domain;

    /** The owner's side. */
    public final DirectLink owner;

    private final int number;
    /** How often the owner's domain has given the place of a connection back. */
    final AtomicInteger placesGiven = new AtomicInteger();

    final ReachWords ownersWords;
    final UnixSocket ownersLine;
    /** The initiator's side, which belongs to the test: its table is nobody's. */
    final DirectLink initiator;

    final UnixSocket initiatorsLine;
    final ReachWords initiatorsWords;
    private final SealedFile ownersFile = file();
    private final SealedFile initiatorsFile = file();
    final SealedFile atOwner;
    private final SealedFile atInitiator;

    /** Makes two sides; the owner's has the STags that {@code seed} gives. */
    static TwoLinks of(int seed) {
        try {
            return new TwoLinks(table(new AtomicInteger(seed)), NUMBER);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static StagTable table(AtomicInteger next) {
        return new StagTable(1000, () -> next.addAndGet(0x9E3779B1));
    }

    /** Makes two sides; the owner's has {@code stags}, and its queue pair the number {@code number}. */
    public TwoLinks(StagTable stags, int number) throws IOException {
        this.stags = stags;
        this.number = number;
        domain = Objects.requireNonNull(domains.open(DOMAIN));
        UnixName name = UnixName.ofAbstract(
                "panama-verbs/test/" + ProcessHandle.current().pid() + "/" + NAMES.incrementAndGet());
        UnixServer server = UnixServer.listen(name, 1);
        initiatorsLine = UnixSocket.connect(name);
        ownersLine = Objects.requireNonNull(server.accept());
        server.close();
        initiatorsLine.takeFiles();
        ownersLine.takeFiles();
        atOwner = across(initiatorsLine, ownersLine, initiatorsFile);
        atInitiator = across(ownersLine, initiatorsLine, ownersFile);
        ownersWords = new RingPair(ownersFile.memory(), atOwner.memory()).reach();
        initiatorsWords = new RingPair(initiatorsFile.memory(), atInitiator.memory()).reach();
        owner = new DirectLink(domains, ownersWords, atOwner, ownersLine, placesGiven::incrementAndGet);
        initiator = new DirectLink(domains, initiatorsWords, atInitiator, initiatorsLine, () -> {});
    }

    /** Returns {@code file} as the other side maps it. */
    private static SealedFile across(UnixSocket from, UnixSocket to, SealedFile file) throws IOException {
        from.send(ByteBuffer.allocate(1), file);
        return Objects.requireNonNull(to.receiveWithFile(ByteBuffer.allocate(1)).file())
                .map(file.memory().byteSize());
    }

    private static SealedFile file() {
        try {
            SealedFile file = SealedFile.create("panama-verbs test", RingLayout.fileBytes(RING_BYTES));
            RingLayout.format(file.memory(), RING_BYTES);
            return file;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns how often this process has mapped what is called {@code name}. */
    static long mappings(String name) throws IOException {
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            return maps.filter(line -> line.contains(name)).count();
        }
    }

    /** Begins on both sides, and returns what the initiator reaches. */
    public PeerMemory reach() {
        PeerMemory owners = Objects.requireNonNull(owner.reach(DOMAIN, number, Protection.REMOTE));
        PeerMemory initiators = Objects.requireNonNull(initiator.reach(DOMAIN, number, Protection.REMOTE));
        ask(owners, initiator);
        ask(initiators, owner);
        return initiators;
    }

    /** Has {@code other} send its table, which the first access asks for. */
    static void ask(PeerMemory memory, DirectLink other) {
        assertThat(memory.enter(0, 0, 1, Access.REMOTE_READ)).isFalse();
        other.serve();
        ((PeerRegions) memory).lookAround();
    }

    /** Registers {@code segment} at its address. */
    Region register(MemorySegment segment, Access... access) {
        int rights = Access.mask(access);
        Region region = Objects.requireNonNull(stags.enable(segment, segment.address(), rights, DOMAIN));
        domain.enable(region, segment, rights);
        return region;
    }

    /** Returns a window, which nothing is bound to. */
    Region window() {
        Region window = Objects.requireNonNull(stags.reserve(DOMAIN));
        domain.reserve(window);
        return window;
    }

    /** Has the initiator have the slab of {@code region}: it asks with its first access, which goes another way. */
    void introduce(PeerMemory memory, Region region, Access right) {
        if (memory.enter(region.stag(), region.base(), 1, right)) {
            memory.leave();
        }
        owner.serve();
    }

    /** Invalidates a window as the queue pair does that it is bound on alone. */
    void invalidate(Region window) {
        assertThat(new Protection(stags, DOMAIN, NUMBER, ~0).invalidate(window.stag()))
                .isTrue();
    }

    /** Takes {@code region} away, which nobody accesses for long: a peer may look whether it still may. */
    void deregister(Region region) {
        domain.retire(region);
        region.revoke();
        long began = System.nanoTime();
        while (!region.quiescent()) {
            if (System.nanoTime() - began > PATIENCE_NANOS) {
                throw new AssertionError("somebody accesses it");
            }
            Thread.onSpinWait();
        }
        domain.forget(region);
        stags.remove(region);
    }

    @Override
    public void close() {
        initiator.close();
        owner.close();
        domains.close(domain);
        ownersFile.close();
        initiatorsFile.close();
        atOwner.close();
        atInitiator.close();
    }
}
