package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.iwarp.engine.Containers.User;
import org.panamaverbs.iwarp.net.unix.PeerUser;

/**
 * Two processes in containers: user, mount, network, PID and IPC namespaces of their own, a {@code /dev/shm} of 64 KiB
 * each, a bridge between them, and one directory that both see.
 */
@Timeout(180)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
@Tag("proof")
class ContainersTest {
    // A loaded machine; idle it takes milliseconds.
    private static final long DEATH_SECONDS = 10;
    private static final String DIRECTORY = "shm.dir=/mnt/verbs";
    private static final User ANOTHER_NUMBER = new User("-", "--map-user=1000");
    private static final String[] TCP_ALONE = {"shm=auto", "sockets=libc"};

    @TempDir
    private Path shared;

    private Containers containers;
    private final List<ChildProcess> children = new ArrayList<>();

    @BeforeEach
    void makeContainers() throws IOException {
        containers = new Containers();
    }

    @AfterEach
    void endThem() throws IOException {
        for (ChildProcess child : children) {
            child.close();
        }
        if (containers != null) { // none where none can be made
            containers.close();
        }
    }

    private ChildProcess start(int last, User user, String source, Class<?> main, String... arguments)
            throws IOException {
        ChildProcess child = containers.start(last, user, source, main, arguments);
        children.add(child);
        return child;
    }

    private static String[] arguments(int listener, String port, String what, String... options) {
        List<String> all = new ArrayList<>(List.of(Containers.address(listener), port, what));
        all.addAll(List.of(options));
        return all.toArray(String[]::new);
    }

    /** Two that do {@code what}, the listener at .1 and the other at .2. */
    private record Pair(ChildProcess listener, ChildProcess initiator) {}

    private Pair pair(String what, User one, String itsSource, User other, String othersSource, String... options)
            throws IOException {
        ChildProcess listener = start(1, one, itsSource, ContainerPeer.class, arguments(1, "0", what, options));
        String port = listener.value("port=");
        return new Pair(
                listener, start(2, other, othersSource, ContainerPeer.class, arguments(1, port, what, options)));
    }

    private Pair pair(String what, String... options) throws IOException {
        return pair(what, User.OF_THIS, shared.toString(), User.OF_THIS, shared.toString(), options);
    }

    private void goneWell(Pair pair) throws IOException {
        assertThat(pair.initiator.value("done=")).isEqualTo("ok");
        assertThat(pair.listener.value("done=")).isEqualTo("ok");
        assertThat(pair.initiator.value("left=")).isEqualTo("nothing");
        assertThat(pair.listener.value("left=")).isEqualTo("nothing");
        assertThat(SharedDirectoryFixture.left(shared)).isEmpty();
    }

    // ---- sharing --------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(strings = {"background", "spin"})
    void oneBindMountIsEnough(String progress) throws Exception {
        Pair pair = pair("talk", "shm=require", DIRECTORY, "progress=" + progress);

        assertThat(pair.initiator.value("transport=")).contains("shared memory (rings");
        assertThat(pair.listener.value("transport=")).contains("shared memory (rings");
        goneWell(pair);
    }

    /** The kernel compares users, whatever their namespaces call them. */
    @Test
    void oneUserMayHaveTwoNumbers() throws Exception {
        Pair pair = pair(
                "talk", User.OF_THIS, shared.toString(), ANOTHER_NUMBER, shared.toString(), "shm=require", DIRECTORY);

        assertThat(pair.initiator.value("transport=")).contains("shared memory (rings");
        goneWell(pair);
    }

    @Test
    void aListenerNeedsTheDirectoryToBeReadAlone() throws Exception {
        Pair pair =
                pair("talk", User.OF_THIS, "ro:" + shared, User.OF_THIS, shared.toString(), "shm=require", DIRECTORY);

        assertThat(pair.listener.value("transport=")).contains("shared memory (rings");
        goneWell(pair);
    }

    @Test
    void aRejectionArrivesOverRings() throws Exception {
        Pair pair = pair("reject", "shm=require", DIRECTORY);

        assertThat(pair.initiator.value("refused=")).startsWith("REJECTED");
        assertThat(pair.initiator.value("left=")).isEqualTo("nothing");
        assertThat(SharedDirectoryFixture.left(shared)).isEmpty();
    }

    // ---- TCP, and why ---------------------------------------------------------------------------------------------

    @Test
    void withoutADirectoryItIsTcpAndTheRemedyIsNamed() throws Exception {
        Pair pair = pair("talk", User.OF_THIS, "-", User.OF_THIS, "-", TCP_ALONE);

        String why = "no shared memory (the peer's address is not in this network namespace; if it is another container"
                + " of this host, set the same shm.dir on both sides)";
        assertThat(pair.initiator.value("transport=")).contains(why);
        assertThat(pair.listener.value("transport=")).contains(why);
        goneWell(pair);
    }

    @Test
    void directoriesOfTheirOwnAreNone() throws Exception {
        Pair pair = pair("talk", User.OF_THIS, "-", User.OF_THIS, "-", "shm=auto", DIRECTORY);

        assertThat(pair.initiator.value("transport="))
                .contains("no listener at 10.77.0.1 port ", "announces itself in shm.dir /mnt/verbs");
        goneWell(pair);
    }

    @ParameterizedTest
    @CsvSource({"/mnt/full, quota is full", "ro:, the directory is mounted read-only"})
    void aDirectoryThatNothingCanBePutIntoIsNamed(String source, String why) throws Exception {
        boolean full = source.equals("/mnt/full");
        Pair pair = pair(
                "talk",
                User.OF_THIS,
                full ? source : shared.toString(),
                User.OF_THIS,
                full ? source : source + shared,
                "shm=auto",
                DIRECTORY);

        assertThat(pair.initiator.value("transport=")).contains("no shared memory (bind of /mnt/verbs/shm-", why);
        goneWell(pair);
    }

    // ---- other users, which only root can make --------------------------------------------------------------------

    private void forAll() throws Exception {
        assumeTrue(PeerUser.effectiveUser() == 0, "not root");
        assumeTrue(UserNamespaceTest.othersCanRun(), "another user cannot read the JDK or the classes of this build");
        Files.setAttribute(shared, "unix:mode", 01777);
    }

    @ParameterizedTest
    @CsvSource({"any, 'shared memory (rings'", "same, 'no shared memory ('"})
    void anotherUserSharesMemoryWhereThatIsAllowed(String users, String what) throws Exception {
        forAll();
        Pair pair = pair(
                "talk",
                new User("-", "-"),
                shared.toString(),
                new User("12345", "-"),
                shared.toString(),
                "shm=auto",
                "shm.users=" + users,
                DIRECTORY);

        assertThat(pair.initiator.value("transport=")).contains(what);
        assertThat(pair.listener.value("transport="))
                .contains(what)
                .contains(users.equals("any") ? "" : "the peer is user 12345");
        goneWell(pair);
    }

    /** A peer of another user may have rings, where that is allowed, and memory never. */
    @ParameterizedTest
    @CsvSource({"-, true", "12345, false"})
    void anotherUserReachesNoMemory(String user, boolean reaches) throws Exception {
        forAll();
        Pair pair = pair(
                "talk",
                new User("-", "-"),
                shared.toString(),
                new User(user, "-"),
                shared.toString(),
                "shm=require",
                "shm.users=any",
                "shm.direct=on",
                DIRECTORY);

        assertThat(pair.initiator.value("transport=").contains(", direct access ("))
                .isEqualTo(reaches);
        assertThat(pair.listener.value("transport=").contains(", direct access ("))
                .isEqualTo(reaches);
        goneWell(pair);
    }

    /** The directory's owner has no number there: it could be anybody. */
    @Test
    void aDirectoryOfNobodyKnownIsNotUsed() throws Exception {
        forAll();
        Pair pair = pair(
                "talk",
                User.OF_THIS,
                shared.toString(),
                new User("12345", "--map-root-user"),
                shared.toString(),
                "shm=auto",
                "shm.users=any",
                DIRECTORY);

        assertThat(pair.initiator.value("transport="))
                .contains(
                        "/mnt/verbs belongs to a user without a number in this user namespace; remedy: use a directory of");
        goneWell(pair);
    }

    // ---- kill -9 --------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @CsvSource({"true, write", "false, write", "true, sit", "false, sit"})
    void aKilledPeerIsAResetInMilliseconds(boolean listenerDies, String what) throws Exception {
        Pair pair = pair(what, "shm=require", DIRECTORY);
        pair.listener.value("going");
        pair.initiator.value("going");
        ChildProcess dies = listenerDies ? pair.listener : pair.initiator;
        ChildProcess lives = listenerDies ? pair.initiator : pair.listener;

        long start = System.nanoTime();
        dies.kill();

        assertThat(lives.value("ended=")).isEqualTo("PEER_RESET");
        assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(DEATH_SECONDS));
        assertThat(lives.value("left=")).isEqualTo("nothing");
        assertThat(SharedDirectoryFixture.left(shared)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"OFFERED", "FILE_SENT", "TAKEN"})
    void whatAnInitiatorLeavesThatIsKilledInSetupTheNextRemoves(String step) throws Exception {
        ChildProcess listener = start(
                1,
                User.OF_THIS,
                shared.toString(),
                ContainerPeer.class,
                arguments(1, "0", "talk", "shm=require", DIRECTORY));
        String port = listener.value("port=");
        ChildProcess killed = start(
                3,
                User.OF_THIS,
                shared.toString(),
                SetupStep.class,
                port,
                step,
                Containers.address(1),
                "/mnt/verbs",
                Containers.address(3));
        killed.value("sits");
        killed.kill();
        assertThat(SharedDirectoryFixture.left(shared)).hasSize(1);
        SharedDirectoryFixture.isOld(shared);

        ChildProcess next = start(
                2,
                User.OF_THIS,
                shared.toString(),
                ContainerPeer.class,
                arguments(1, port, "talk", "shm=require", DIRECTORY));
        assertThat(next.value("transport=")).contains("shared memory (rings");
        goneWell(new Pair(listener, next));
    }

    @ParameterizedTest
    @ValueSource(strings = {"MET", "FILE_SENT"})
    void aListenerThatIsKilledInSetupFailsTheConnection(String step) throws Exception {
        ChildProcess killed = start(
                1, User.OF_THIS, shared.toString(), SetupStep.class, "0", step, Containers.address(1), "/mnt/verbs");
        ChildProcess initiator = start(
                2,
                User.OF_THIS,
                shared.toString(),
                ContainerPeer.class,
                arguments(1, killed.value("port="), "talk", "shm=require", DIRECTORY));
        killed.value("sits");

        killed.kill();

        assertThat(initiator.value("refused=")).doesNotContain("before the deadline");
        assertThat(initiator.value("left=")).isEqualTo("nothing");
        assertThat(SharedDirectoryFixture.left(shared)).isEmpty();
    }
}
