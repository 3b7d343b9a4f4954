package org.panamaverbs.sockets.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers on java.nio and their clients, in two processes. */
@Timeout(400)
@Tag("proof")
class ServersTest {
    private static void answers(Class<?> program, List<String> options, int callers, int calls) throws Exception {
        try (ProgramRun serving = ProgramRun.start(program, options, "server");
                ProgramRun calling = ProgramRun.start(
                        program,
                        options,
                        "client",
                        String.valueOf(serving.port()),
                        String.valueOf(callers),
                        String.valueOf(calls))) {
            assertThat(calling.end()).contains("checked " + callers * calls, "ended", "exit 0");
            assertThat(serving.end()).contains("ended", "exit 0").doesNotContain("failed");
        }
    }

    @Test
    void jettyAndTheClientOfTheJdk() throws Exception {
        answers(JettyEcho.class, List.of(), 8, 25);
    }

    @Test
    void streamsOfGrpc() throws Exception {
        answers(GrpcEcho.class, List.of("-Dio.grpc.netty.shaded.io.netty.transport.noNative=true"), 8, 50);
    }
}
