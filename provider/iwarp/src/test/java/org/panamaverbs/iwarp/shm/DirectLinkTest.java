package org.panamaverbs.iwarp.shm;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.iwarp.core.PeerMemory;
import org.panamaverbs.iwarp.core.memory.Protection;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.net.unix.FileMessage;
import org.panamaverbs.iwarp.net.unix.MemoryFiles;
import org.panamaverbs.iwarp.net.unix.SealedFile;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.MemorySlab;

/** What one side reaches of the other's memory, what it does not, and how it is taken away. */
@Timeout(120)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
class DirectLinkTest {
    private static final int BYTES = 10_000;
    private static final Access[] ALL = {
        Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC
    };

    private final TwoLinks links = TwoLinks.of(77);
    private final MemorySlab slab = MemorySlab.shared("panama-verbs test slab", BYTES);

    @AfterEach
    void close() {
        links.close();
        slab.close();
    }

    @Test
    void reachesWhatWasRegistered() {
        PeerMemory memory = links.reach();
        Region region = links.register(slab.segment().asSlice(4096, 4096), ALL);
        links.introduce(memory, region, Access.REMOTE_WRITE);

        assertThat(memory.enter(region.stag(), region.base() + 8, 4088, Access.REMOTE_WRITE))
                .isTrue();
        memory.segment().set(JAVA_LONG, memory.offset(), 42);
        memory.leave();

        assertThat(slab.segment().get(JAVA_LONG, 4104)).isEqualTo(42);
        assertThat(memory.segment().address()).isNotEqualTo(slab.segment().address());
        links.deregister(region);
    }

    @ParameterizedTest
    @CsvSource({
        // rights, where, bytes, wanted right
        "RWA, 0, 4097, REMOTE_READ",
        "RWA, 4096, 1, REMOTE_READ",
        "RWA, -1, 1, REMOTE_WRITE",
        "RWA, -1, 2, REMOTE_WRITE",
        "RWA, 4095, 2, REMOTE_READ",
        "RWA, 4, 8, REMOTE_ATOMIC",
        "RWA, 4089, 8, REMOTE_ATOMIC",
        "RWA, 0, 9223372036854775807, REMOTE_READ",
        "W, 0, 8, REMOTE_READ",
        "W, 0, 8, REMOTE_ATOMIC",
        "A, 0, 8, REMOTE_WRITE",
    })
    void leavesToThePeerWhatItWouldRefuse(String rights, long at, long octets, Access right) {
        PeerMemory memory = links.reach();
        Region region = links.register(
                slab.segment().asSlice(4096, 4096),
                Stream.of(ALL)
                        .filter(each -> each == Access.LOCAL_WRITE || rights.indexOf(letter(each)) >= 0)
                        .toArray(Access[]::new));
        Access granted = rights.startsWith("A") ? Access.REMOTE_ATOMIC : Access.REMOTE_WRITE;
        if (granted == Access.REMOTE_ATOMIC) {
            assertThat(memory.enter(region.stag(), region.base(), 8, granted)).isFalse();
            links.owner.serve();
        } else {
            links.introduce(memory, region, granted);
        }
        assertThat(memory.enter(region.stag(), region.base(), 8, granted))
                .as("what is granted")
                .isTrue();
        memory.leave();

        assertThat(memory.enter(region.stag(), region.base() + at, octets, right))
                .isFalse();
        assertThat(memory.enter(region.stag() ^ 1, region.base(), 8, granted))
                .as("another key")
                .isFalse();
        assertThat(links.ownersWords.claimed()).isZero();
        links.deregister(region);
    }

    private static char letter(Access access) {
        return access.name().charAt("REMOTE_".length());
    }

    @Test
    void whatWasTakenAwayIsEnteredByNobody() {
        PeerMemory memory = links.reach();
        Region region = links.register(slab.segment(), ALL);
        links.introduce(memory, region, Access.REMOTE_WRITE);

        links.domain.retire(region);

        assertThat(memory.enter(region.stag(), region.base(), 8, Access.REMOTE_WRITE))
                .isFalse();
        assertThat(links.ownersWords.claimed()).isZero();
        links.deregister(region);
    }

    @Test
    void whoIsInsideIsWaitedForAndNobodyElse() {
        PeerMemory memory = links.reach();
        Region region = links.register(slab.segment().asSlice(0, 4096), ALL);
        Region other = links.register(slab.segment().asSlice(4096, 4096), ALL);
        links.introduce(memory, region, Access.REMOTE_WRITE);
        assertThat(memory.enter(region.stag(), region.base(), 8, Access.REMOTE_WRITE))
                .isTrue();

        region.revoke();
        assertThat(region.quiescent()).isFalse();
        other.revoke();
        assertThat(other.quiescent()).isTrue();
        memory.leave();

        assertThat(region.quiescent()).isTrue();
        links.deregister(other);
        links.deregister(region);
    }

    @Test
    void theEndOfThePeerEndsItsAccess() {
        PeerMemory memory = links.reach();
        Region region = links.register(slab.segment(), ALL);
        links.introduce(memory, region, Access.REMOTE_WRITE);
        assertThat(memory.enter(region.stag(), region.base(), 8, Access.REMOTE_WRITE))
                .isTrue();
        region.revoke();
        assertThat(region.quiescent()).isFalse();

        links.initiatorsLine.close();

        assertThat(region.quiescent()).isTrue();
        links.deregister(region);
    }

    @Test
    void anAccessThatOutlivesItsConnectionIsWaitedFor() {
        PeerMemory memory = links.reach();
        Region region = links.register(slab.segment(), ALL);
        links.introduce(memory, region, Access.REMOTE_WRITE);
        assertThat(memory.enter(region.stag(), region.base(), 8, Access.REMOTE_WRITE))
                .isTrue();

        links.owner.close();

        assertThat(links.owner.keepsFile()).isTrue();
        region.revoke();
        assertThat(region.quiescent()).isFalse();
        memory.leave();
        assertThat(region.quiescent()).isTrue();
        assertThat(links.ownersLine.isOpen()).as("what told of it").isFalse();
        assertThat(memory.enter(region.stag(), region.base(), 8, Access.REMOTE_WRITE))
                .isFalse();
        links.deregister(region);
    }

    @Test
    void nothingIsKeptOfAConnectionWithoutAnAccess() {
        links.reach();

        links.owner.close();

        assertThat(links.owner.keepsFile()).isFalse();
        assertThat(links.ownersLine.isOpen()).isFalse();
    }

    @Test
    void aStreamThatHasFailedLetsNobodyIn() {
        PeerMemory memory = links.reach();
        Region region = links.register(slab.segment(), ALL);
        links.introduce(memory, region, Access.REMOTE_WRITE);

        links.owner.dismiss();

        assertThat(memory.enter(region.stag(), region.base(), 8, Access.REMOTE_WRITE))
                .isFalse();
        links.deregister(region);
    }

    @Test
    void memoryThatWasTakenAwayIsUnmapped() throws IOException {
        PeerMemory memory = links.reach();
        long before = TwoLinks.mappings("panama-verbs test slab");
        Region region = links.register(slab.segment(), ALL);
        links.introduce(memory, region, Access.REMOTE_WRITE);
        assertThat(memory.enter(region.stag(), region.base(), 8, Access.REMOTE_WRITE))
                .isTrue();
        memory.leave();
        assertThat(TwoLinks.mappings("panama-verbs test slab")).isEqualTo(before + 1);

        links.deregister(region);
        links.initiator.lookAround();

        assertThat(TwoLinks.mappings("panama-verbs test slab")).isEqualTo(before);
    }

    @Test
    void aSlabThatCameAfterAnotherIsNotTakenForIt() {
        PeerMemory memory = links.reach();
        Region region = links.register(slab.segment(), ALL);
        links.introduce(memory, region, Access.REMOTE_WRITE);
        links.deregister(region);
        try (MemorySlab second = MemorySlab.shared("panama-verbs second slab", BYTES)) {
            Region next = links.register(second.segment(), ALL);
            links.introduce(memory, next, Access.REMOTE_WRITE);
            assertThat(memory.enter(next.stag(), next.base(), 8, Access.REMOTE_WRITE))
                    .isTrue();
            memory.segment().set(JAVA_LONG, memory.offset(), 4711);
            memory.leave();

            assertThat(second.segment().get(JAVA_LONG, 0)).isEqualTo(4711);
            assertThat(slab.segment().get(JAVA_LONG, 0)).isZero();
            links.deregister(next);
        }
    }

    @Test
    void memoryThatIsOnlyReadCannotBeMappedToBeWritten() throws IOException {
        try (MemorySlab toRead = MemorySlab.sharedToRead("panama-verbs to read", BYTES)) {
            PeerMemory memory = links.reach();
            Region region = links.register(toRead.segment(), Access.REMOTE_READ);
            links.introduce(memory, region, Access.REMOTE_READ);
            assertThat(memory.enter(region.stag(), region.base(), 8, Access.REMOTE_READ))
                    .isTrue();
            assertThat(memory.segment().isReadOnly()).isTrue();
            memory.leave();

            links.initiatorsLine.send(ByteBuffer.allocate(1), toRead.fileDescriptor());
            try (FileMessage sent = links.ownersLine.receiveWithFile(ByteBuffer.allocate(1))) {
                assertThatThrownBy(() -> Objects.requireNonNull(sent.file()).mapSlab(BYTES, true))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("mmap");
            }
            links.deregister(region);
        }
    }

    @Test
    void memoryThatOthersCouldWriteIsNotSharedToBeRead() {
        PeerMemory memory = links.reach();
        Region region = links.register(slab.segment(), Access.REMOTE_READ);

        links.introduce(memory, region, Access.REMOTE_READ);

        assertThat(memory.enter(region.stag(), region.base(), 8, Access.REMOTE_READ))
                .isFalse();
        links.deregister(region);
    }

    @Test
    void otherMemoryIsNotReached() {
        PeerMemory memory = links.reach();
        try (MemorySlab plain = MemorySlab.allocate(BYTES)) {
            Region region = links.register(plain.segment(), ALL);

            links.introduce(memory, region, Access.REMOTE_WRITE);

            assertThat(memory.enter(region.stag(), region.base(), 8, Access.REMOTE_WRITE))
                    .isFalse();
            links.deregister(region);
        }
    }

    @Test
    void aFullTableLeavesTheRestToMessages() {
        PeerMemory memory = links.reach();
        Region[] regions = new Region[900];
        int reached = 0;
        for (int i = 0; i < regions.length; i++) {
            regions[i] = links.register(slab.segment(), ALL);
        }
        links.introduce(memory, regions[0], Access.REMOTE_WRITE);
        for (Region region : regions) {
            if (memory.enter(region.stag(), region.base(), 8, Access.REMOTE_WRITE)) {
                reached++;
                memory.leave();
            }
        }
        assertThat(reached).isGreaterThan(500);
        for (Region region : regions) {
            links.deregister(region);
        }
    }

    /** One thread writes as fast as it can, another takes the memory away and gives it again. */
    @Test
    void noOctetChangesBehindARevocation() throws Exception {
        PeerMemory memory = links.reach();
        // The slab stays while the memory beside it comes and goes.
        Region stays = links.register(slab.segment().asSlice(4096, 8), ALL);
        links.introduce(memory, stays, Access.REMOTE_WRITE);
        MemorySegment cell = slab.segment().asSlice(0, 8);
        AtomicReference<@Nullable Region> current = new AtomicReference<>();
        AtomicLong written = new AtomicLong();
        AtomicBoolean over = new AtomicBoolean();
        Thread writer = Thread.ofPlatform().daemon().start(() -> {
            while (!over.get()) {
                Region region = current.get();
                if (region != null && memory.enter(region.stag(), cell.address(), 8, Access.REMOTE_WRITE)) {
                    memory.segment().set(JAVA_LONG, memory.offset(), written.incrementAndGet());
                    memory.leave();
                }
            }
        });
        try {
            for (int round = 0; round < 2000 || (written.get() < 1000 && writer.isAlive()); round++) {
                Region region = links.register(cell, ALL);
                current.set(region);
                for (int i = 0; i < round % 200; i++) {
                    Thread.onSpinWait();
                }
                region.revoke();
                while (!region.quiescent()) {
                    Thread.onSpinWait();
                }
                long then = cell.get(JAVA_LONG, 0);
                for (int i = 0; i < 20; i++) {
                    assertThat((long) JAVA_LONG.varHandle().getVolatile(cell, 0L))
                            .as("round " + round)
                            .isEqualTo(then);
                }
                links.deregister(region);
            }
        } finally {
            over.set(true);
            writer.join(20_000);
        }
        assertThat(writer.isAlive()).isFalse();
        links.deregister(stays);
    }

    /** Tables of random bytes, around one entry that is asked for: what is entered lies in what is mapped. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void wrongTablesReachNothingElse(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        int stag = 0x12345678;
        PeerRegions regions = new PeerRegions(links.initiatorsLine, links.initiatorsWords);
        try (SealedFile table = SealedFile.create("panama-verbs hostile", TableLayout.BYTES)) {
            MemorySegment words = table.memory();
            new AccessTable().open(words);
            assertThat(regions.enter(stag, 0, 8, Access.REMOTE_WRITE)).isFalse();
            links.ownersLine.send(new Grant(Grant.TABLE, false, 0, TableLayout.BYTES).encode(), table);
            links.ownersWords.admit(TwoLinks.NUMBER, Protection.REMOTE);
            // An entry in slab 7 at place 5, which is asked for.
            long first = TableLayout.entry(TableLayout.index(stag, 0));
            words.set(JAVA_LONG, first + TableLayout.RIGHTS, 5L << 32 | 0xFFFF);
            words.set(JAVA_LONG, first + TableLayout.LENGTH, BYTES);
            words.set(JAVA_LONG, first + TableLayout.SLAB, 7);
            words.set(JAVA_LONG, first, 1L << 32 | stag);
            assertThat(regions.enter(stag, 0, 8, Access.REMOTE_WRITE)).isFalse();
            words.set(JAVA_LONG, first, 0);
            links.ownersLine.send(new Grant(5, true, 7, BYTES).encode(), slab.fileDescriptor());
            int entered = 0;
            for (int i = 0; i < 5000; i++) {
                long entry = TableLayout.entry(TableLayout.index(stag, random.nextInt(TableLayout.REACH)));
                for (int word = 0; word < 8; word++) {
                    words.set(JAVA_LONG, entry + word * 8L, word(random));
                }
                words.set(JAVA_LONG, entry, random.nextLong() << 32 | stag);
                if (random.nextInt(8) != 0) {
                    words.set(JAVA_LONG, entry + TableLayout.RIGHTS, 5L << 32 | 0xFFFF);
                    words.set(JAVA_LONG, entry + TableLayout.SLAB, 7);
                    words.set(JAVA_LONG, entry + TableLayout.SCOPE, random.nextBoolean() ? TwoLinks.NUMBER : 0);
                }
                Access right = ALL[1 + random.nextInt(3)];
                long length = right == Access.REMOTE_ATOMIC ? 8 : 1 + random.nextInt(BYTES);
                if (regions.enter(stag, word(random), length, right)) {
                    entered++;
                    assertThat(regions.segment().byteSize()).isEqualTo(BYTES);
                    assertThat(regions.offset()).isBetween(0L, BYTES - length);
                    if (right == Access.REMOTE_ATOMIC) {
                        assertThat(regions.offset() % 8).isZero();
                    }
                    regions.leave();
                }
                words.set(JAVA_LONG, entry, 0);
            }
            assertThat(entered).as("accesses that were entered").isPositive();
        } finally {
            regions.close();
        }
    }

    private static long word(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextLong();
            case 1 -> Long.MAX_VALUE - random.nextInt(BYTES);
            case 2 -> -random.nextInt(BYTES);
            default -> random.nextInt(2 * BYTES);
        };
    }

    @ParameterizedTest
    @CsvSource({"0, 7, 0", "-2, 7, 10000", "256, 7, 10000", "3, 7, 9999", "-1, 0, 4096"})
    void aPeerThatSendsWhatItDoesNotSayIsLeftToMessages(int place, long number, long bytes) throws IOException {
        PeerMemory memory = links.reach();
        Region region = links.register(slab.segment(), ALL);
        // It asks for the slab.
        assertThat(memory.enter(region.stag(), region.base(), 8, Access.REMOTE_WRITE))
                .isFalse();
        links.ownersLine.send(new Grant(place, true, number, bytes).encode(), slab.fileDescriptor());

        links.introduce(memory, region, Access.REMOTE_WRITE);

        assertThat(memory.enter(region.stag(), region.base(), 8, Access.REMOTE_WRITE))
                .isFalse();
        assertThat(memory.isCaughtUp()).isFalse();
        links.deregister(region);
    }

    /** Each look at what a peer sends has an end, and what nobody asked for ends it for good. */
    @Test
    void aPeerThatSendsOnAndOnKeepsNobody() throws IOException {
        PeerMemory memory = links.reach();
        Region region = links.register(slab.segment(), ALL);
        // It asks for the slab.
        assertThat(memory.enter(region.stag(), region.base(), 8, Access.REMOTE_WRITE))
                .isFalse();
        int sent = 0;
        while (sent < 100
                && links.ownersLine.send(new Grant(0, true, 1 + sent, BYTES).encode(), slab.fileDescriptor()) > 0) {
            sent++;
        }

        assertThat(memory.enter(region.stag(), region.base(), 8, Access.REMOTE_WRITE))
                .isFalse();

        assertThat(unread()).isGreaterThanOrEqualTo(sent - 8);
        assertThat(memory.isCaughtUp()).isFalse();
        links.deregister(region);
    }

    @Test
    void aSlabThatCouldNotBeSentIsSentLater() throws IOException {
        PeerMemory memory = links.reach();
        Region region = links.register(slab.segment(), ALL);
        // It asks for the slab.
        assertThat(memory.enter(region.stag(), region.base(), 8, Access.REMOTE_WRITE))
                .isFalse();
        while (links.ownersLine.send(ByteBuffer.allocate(4096)) > 0) {
            // Until there is no room.
        }
        links.owner.serve();
        ByteBuffer waste = ByteBuffer.allocate(4096);
        while (links.initiatorsLine.receive(waste.clear()) > 0) {
            // Until there is.
        }

        links.owner.serve();

        assertThat(memory.enter(region.stag(), region.base(), 8, Access.REMOTE_WRITE))
                .isTrue();
        memory.leave();
        links.deregister(region);
    }

    /** Returns how many messages the initiator has not taken. */
    private int unread() throws IOException {
        int left = 0;
        while (links.initiatorsLine.receive(ByteBuffer.allocate(Grant.BYTES)) > 0) {
            left++;
        }
        return left;
    }

    /** Whoever could cut it would end this process by its next access. */
    @Test
    void aSlabThatCouldBeCutIsNotMapped() throws IOException {
        PeerMemory memory = links.reach();
        Region region = links.register(slab.segment(), ALL);
        // It asks for the slab.
        assertThat(memory.enter(region.stag(), region.base(), 8, Access.REMOTE_WRITE))
                .isFalse();
        links.ownersLine.send(new Grant(0, true, 1, BYTES).encode(), MemoryFiles.unsealed(BYTES));

        links.introduce(memory, region, Access.REMOTE_WRITE);

        assertThat(memory.enter(region.stag(), region.base(), 8, Access.REMOTE_WRITE))
                .isFalse();
        assertThat(memory.isCaughtUp()).isFalse();
        links.deregister(region);
    }

    /** Who writes anything into its own words is believed a claim on what it names, and nothing else. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whatAPeerScribblesHoldsUpNothingThatItDoesNotName(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        links.reach();
        Region kept = links.register(slab.segment().asSlice(0, 4096), ALL);
        for (int i = 0; i < 500; i++) {
            Region region = links.register(slab.segment().asSlice(4096, 4096), ALL);
            // Names of entries are an STag below small numbers.
            long claim = (long) random.nextInt(1000) << 32 | (random.nextBoolean() ? kept : region).stag();
            links.initiatorsWords.claim(random.nextInt(3) == 0 ? random.nextLong() : claim);
            links.initiatorsWords.want(random.nextLong());
            links.owner.serve();
            region.revoke();
            if (!region.quiescent()) {
                assertThat((int) links.ownersWords.claimed()).isEqualTo(region.stag());
                links.initiatorsWords.release();
            }
            links.deregister(region);
        }
        links.initiatorsWords.release();
        links.deregister(kept);
    }

    @Test
    void whatTheQueuePairDoesNotGrantIsLeftToMessages() {
        Objects.requireNonNull(links.owner.reach(TwoLinks.DOMAIN, TwoLinks.NUMBER, Access.REMOTE_READ.bit()));
        PeerMemory memory = Objects.requireNonNull(links.initiator.reach(TwoLinks.DOMAIN, TwoLinks.NUMBER, 0));
        TwoLinks.ask(memory, links.owner);
        try (MemorySlab toRead = MemorySlab.sharedToRead("panama-verbs to read", BYTES)) {
            Region region = links.register(toRead.segment(), Access.REMOTE_READ);
            links.introduce(memory, region, Access.REMOTE_READ);

            assertThat(memory.enter(region.stag(), region.base(), 8, Access.REMOTE_WRITE))
                    .isFalse();
            assertThat(memory.enter(region.stag(), region.base(), 8, Access.REMOTE_ATOMIC))
                    .isFalse();
            assertThat(links.ownersWords.claimed()).isZero();
            assertThat(memory.enter(region.stag(), region.base(), 8, Access.REMOTE_READ))
                    .isTrue();
            memory.leave();
            links.deregister(region);
        }
    }

    /** The descriptor of a slab gives all that the kernel lets its holder do, whatever the words say. */
    @Test
    void aSlabThatGivesMoreThanTheQueuePairIsNotLent() throws IOException {
        Objects.requireNonNull(links.owner.reach(TwoLinks.DOMAIN, TwoLinks.NUMBER, Access.REMOTE_READ.bit()));
        PeerMemory memory = Objects.requireNonNull(links.initiator.reach(TwoLinks.DOMAIN, TwoLinks.NUMBER, 0));
        TwoLinks.ask(memory, links.owner);
        Region region = links.register(slab.segment(), ALL);
        long mapped = TwoLinks.mappings("panama-verbs test slab");

        for (int i = 0; i < 3; i++) {
            assertThat(memory.enter(region.stag(), region.base(), 8, Access.REMOTE_READ))
                    .isFalse();
            links.owner.serve();
        }
        assertThat(TwoLinks.mappings("panama-verbs test slab")).isEqualTo(mapped);
        links.deregister(region);
    }

    @Test
    void aQueuePairThatGrantsNothingLendsNothing() throws IOException {
        long mapped = TwoLinks.mappings("panama-verbs table");
        PeerMemory memory =
                Objects.requireNonNull(links.owner.reach(TwoLinks.DOMAIN, TwoLinks.NUMBER, Protection.REMOTE));
        Objects.requireNonNull(links.initiator.reach(TwoLinks.DOMAIN, TwoLinks.NUMBER, 0));
        Region region = links.register(slab.segment(), ALL);

        for (int i = 0; i < 3; i++) {
            assertThat(memory.enter(region.stag(), region.base(), 8, Access.REMOTE_READ))
                    .isFalse();
            links.initiator.serve();
        }
        assertThat(RingLayout.admits(links.ownersWords.admission())).isZero();
        assertThat(TwoLinks.mappings("panama-verbs table")).isEqualTo(mapped);
        assertThat(memory.isCaughtUp()).isTrue();
        links.deregister(region);
    }

    @Test
    void aPeerThatLetsNobodyInIsLeftToMessages() {
        PeerMemory memory =
                Objects.requireNonNull(links.initiator.reach(TwoLinks.DOMAIN, TwoLinks.NUMBER, Protection.REMOTE));
        links.owner.close();

        assertThat(memory.enter(0x12345678, 0, 8, Access.REMOTE_WRITE)).isFalse();
        assertThat(memory.isCaughtUp()).isFalse();
    }
}
