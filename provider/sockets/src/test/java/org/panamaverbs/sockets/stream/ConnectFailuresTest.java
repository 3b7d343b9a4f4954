package org.panamaverbs.sockets.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.BindException;
import java.net.ConnectException;
import java.net.SocketException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.ResourceException;

/** Failures of verbs as a program of TCP knows them. */
class ConnectFailuresTest {
    private static final int EMFILE = 24;

    @ParameterizedTest
    @EnumSource(Reason.class)
    void bindFailsAsABind(Reason reason) {
        ConnectionException failure = new ConnectionException("listen", reason, "of a test", null);
        assertThat(ConnectFailures.binding(failure))
                .isInstanceOf(BindException.class)
                .hasMessageContaining("of a test")
                .hasCause(failure);
    }

    @Test
    void bindThatIsLateFailsAsABind() {
        assertThat(ConnectFailures.binding(new DeadlineExceededException("listen", "of a test")))
                .isInstanceOf(BindException.class);
    }

    /** A privileged port, also the one to connect from. */
    @ParameterizedTest
    @ValueSource(ints = {1, 13})
    void portThatNeedsAPrivilegeCannotBeBound(int errno) {
        ResourceException failure = new ResourceException("connect", "of a test", errno);
        assertThat(ConnectFailures.of(failure))
                .isInstanceOf(BindException.class)
                .hasMessageContaining("of a test")
                .hasCause(failure);
        assertThat(ConnectFailures.binding(failure)).isInstanceOf(BindException.class);
    }

    @Test
    void lackIsAFailureOfTheSocket() {
        ResourceException failure = new ResourceException("connect", "of a test", EMFILE);
        assertThat(ConnectFailures.of(failure))
                .isExactlyInstanceOf(SocketException.class)
                .hasCause(failure);
        assertThat(ConnectFailures.binding(failure)).isExactlyInstanceOf(SocketException.class);
    }

    @Test
    void connectThatIsLateFailsAsAConnect() {
        assertThat(ConnectFailures.of(new DeadlineExceededException("connect", "of a test")))
                .isInstanceOf(ConnectException.class);
    }
}
