package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.iwarp.net.unix.OtherUser;
import org.panamaverbs.iwarp.net.unix.PeerUser;
import org.panamaverbs.iwarp.verbs.IwarpVerbs;
import org.panamaverbs.memory.RemoteBuffer;

/** Processes of one network namespace whose user namespaces differ: who counts as the same user. */
@Timeout(120)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
@Tag("proof")
class UserNamespaceTest {

    @BeforeEach
    void needsOtherUsers() throws Exception {
        assumeTrue(PeerUser.effectiveUser() == 0, "not root");
        assumeTrue(
                canRun(asAnother("--map-root-user")),
                "another user can have no user namespace here, or not read the JDK or the classes of this build");
    }

    /** Tells whether another user than this can run processes of these tests. */
    static boolean othersCanRun() throws Exception {
        return canRun(OtherUser.STARTER);
    }

    private static boolean canRun(List<String> starter) throws InterruptedException {
        try (ChildProcess child = new ChildProcess(starter, Classes.class)) {
            return child.endsWell();
        } catch (IOException e) {
            return false;
        }
    }

    /** Ends well where the JDK, the tests and what they need can be read. */
    static final class Classes {
        private Classes() {}

        /** Finds a class of each module. */
        public static void main(String[] arguments) throws ClassNotFoundException {
            for (Class<?> each : List.of(ContainerPeer.class, IwarpVerbs.class, Verbs.class, RemoteBuffer.class)) {
                Class.forName(each.getName(), false, Classes.class.getClassLoader());
            }
        }
    }

    private static List<String> asAnother(String map) {
        return Stream.concat(OtherUser.STARTER.stream(), asThis(map).stream()).toList();
    }

    private static List<String> asThis(String map) {
        return List.of("unshare", "--user", map, "--");
    }

    /**
     * The number 65534 stands for all who have none: who has it itself must not take them for itself. The listener lets
     * everybody in, so that it is the initiator who judges.
     */
    @ParameterizedTest
    @CsvSource({
        "false, --map-user=1000, shared memory (rings",
        "false, --map-user=65534, no shared memory (the listener reported a connection",
        "true, --map-root-user, the peer is user 65534",
        "true, --map-user=65534, the peer is user 65534"
    })
    void aUserIsTheSameWhereTheKernelSaysSo(boolean another, String map, String transport) throws Exception {
        try (ChildProcess listener =
                new ChildProcess(ContainerPeer.class, "127.0.0.1", "0", "talk", "shm=auto", "shm.users=any")) {
            String port = listener.value("port=");
            try (ChildProcess initiator = new ChildProcess(
                    another ? asAnother(map) : asThis(map),
                    ContainerPeer.class,
                    "127.0.0.1",
                    port,
                    "talk",
                    "shm=auto")) {
                assertThat(initiator.value("transport=")).contains(transport);
                assertThat(initiator.value("done=")).isEqualTo("ok");
                assertThat(listener.value("done=")).isEqualTo("ok");
            }
        }
    }
}
