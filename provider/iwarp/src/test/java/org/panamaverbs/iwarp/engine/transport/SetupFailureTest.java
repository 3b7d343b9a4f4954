package org.panamaverbs.iwarp.engine.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.ConnectionException.Reason;

/** What ends the set-up of shared memory where it is required, and whether a retry can help. */
class SetupFailureTest {
    @ParameterizedTest
    @CsvSource({
        "memfd_create of a ring: EMFILE (24): too many open files, CLOSED",
        "memfd_create of a ring: ENFILE (23): too many open files in the system, CLOSED",
        "memfd_create of a ring: ENOMEM (12): out of memory, CLOSED",
        "ftruncate of a ring: ENOSPC (28): no space left, CLOSED",
        "sendmsg of a file: ETOOMANYREFS (109): too many references, CLOSED",
        "connect of @name: ECONNREFUSED (111): connection refused, RESET",
        "sendmsg of @name: EPIPE (32): broken pipe, RESET",
        "recvmsg of @name: ECONNRESET (104): connection reset, RESET",
        "memfd_create of a ring: ENOSYS (38): not implemented, NEGOTIATION",
        "memfd_create of a ring: EPERM (1): not permitted, NEGOTIATION"
    })
    void retryHelpsAgainstALackAndAPeerThatIsGone(String words, Reason reason) {
        assertThat(SetupFailure.ofSharing(new IOException(words))).isEqualTo(reason);
    }

    @Test
    void reasonOfASetUpIsKept() {
        assertThat(SetupFailure.ofSharing(new SetupFailure(Reason.RESET, "of a test")))
                .isEqualTo(Reason.RESET);
    }
}
