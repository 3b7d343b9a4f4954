package org.panamaverbs.iwarp.shm;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.panamaverbs.iwarp.core.PeerMemory;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.MemorySlab;

/**
 * What a process of this user that keeps to nothing can do with what its library has mapped, and what it cannot: the
 * tests hold what docs/guide/trust.md tells who thinks of setting {@code shm.direct}.
 */
@Timeout(120)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
class DirectTrespassTest {
    private static final int BYTES = 8192;
    private static final int REGISTERED = 4096;
    private static final long SECRET = 0x5EC2E7;
    private static final long SCRIBBLE = 0xBAD;

    private final TwoLinks links = TwoLinks.of(4711);
    private final MemorySlab slab = MemorySlab.shared("panama-verbs trespass", BYTES);
    private final MemorySlab toRead = MemorySlab.sharedToRead("panama-verbs trespass to read", BYTES);

    @AfterEach
    void close() {
        links.close();
        slab.close();
        toRead.close();
    }

    /** Returns the slab of {@code region} as the initiator has mapped it, through one access that it may make. */
    private MemorySegment mapped(PeerMemory memory, Region region, Access right) {
        links.introduce(memory, region, right);
        assertThat(memory.enter(region.stag(), region.base(), 8, right)).isTrue();
        MemorySegment whole = memory.segment();
        memory.leave();
        assertThat(whole.byteSize()).isEqualTo(BYTES);
        return whole;
    }

    private Region register(MemorySlab of, Access... access) {
        return links.register(of.segment().asSlice(REGISTERED, BYTES - REGISTERED), access);
    }

    @Test
    void itReadsWhereItMayOnlyWrite() {
        slab.segment().set(JAVA_LONG, REGISTERED, SECRET);
        Region region = register(slab, Access.LOCAL_WRITE, Access.REMOTE_WRITE);

        MemorySegment whole = mapped(links.reach(), region, Access.REMOTE_WRITE);

        assertThat(whole.get(JAVA_LONG, REGISTERED)).isEqualTo(SECRET);
        links.deregister(region);
    }

    @Test
    void itReadsAndWritesAllOfTheSlabBesideWhatIsRegistered() {
        slab.segment().set(JAVA_LONG, 0, SECRET);
        Region region = register(slab, Access.LOCAL_WRITE, Access.REMOTE_WRITE);

        MemorySegment whole = mapped(links.reach(), region, Access.REMOTE_WRITE);

        assertThat(whole.get(JAVA_LONG, 0)).isEqualTo(SECRET);
        whole.set(JAVA_LONG, 8, SCRIBBLE);
        assertThat(slab.segment().get(JAVA_LONG, 8)).isEqualTo(SCRIBBLE);
        links.deregister(region);
    }

    @Test
    void itGoesOnAfterTheRevocationAsLongAsItKeepsTheMapping() {
        Region region = register(slab, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        MemorySegment whole = mapped(links.reach(), region, Access.REMOTE_WRITE);
        links.deregister(region);

        whole.set(JAVA_LONG, REGISTERED, SCRIBBLE);

        assertThat(slab.segment().get(JAVA_LONG, REGISTERED)).isEqualTo(SCRIBBLE);
    }

    /** The owner's library gives the memory of a closed slab to nobody else: that is a file of its own. */
    @Test
    void itDoesNotReachWhatIsAllocatedAfterItsSlabIsClosed() {
        Region region = register(slab, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        MemorySegment whole = mapped(links.reach(), region, Access.REMOTE_WRITE);
        links.deregister(region);
        slab.close();

        try (MemorySlab next = MemorySlab.shared("panama-verbs trespass next", BYTES)) {
            next.segment().fill((byte) 0x55);
            whole.fill((byte) 0xAA);

            assertThat(next.segment().mismatch(MemorySegment.ofArray(filled((byte) 0x55))))
                    .isEqualTo(-1);
        }
    }

    private static byte[] filled(byte value) {
        byte[] all = new byte[BYTES];
        Arrays.fill(all, value);
        return all;
    }

    @Test
    void whatIsSharedToBeReadItReadsWholeAndForeverAndDoesNotWrite() throws IOException {
        toRead.segment().set(JAVA_LONG, 0, SECRET);
        Region region = register(toRead, Access.REMOTE_READ);
        MemorySegment whole = mapped(links.reach(), region, Access.REMOTE_READ);
        links.deregister(region);

        assertThat(whole.get(JAVA_LONG, 0)).as("beside what is registered").isEqualTo(SECRET);
        assertThat(kernelsRights(whole)).as("what a store would meet").isEqualTo("r--s");
    }

    /** Returns what the kernel lets this process do where {@code mapped} begins, as /proc/self/maps has it. */
    private static String kernelsRights(MemorySegment mapped) throws IOException {
        String begin = Long.toHexString(mapped.address()) + "-";
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            return maps.filter(line -> line.startsWith(begin))
                    .map(line -> line.split(" ", 3)[1])
                    .findFirst()
                    .orElseThrow();
        }
    }
}
