package org.panamaverbs.cli.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.panamaverbs.cli.CommandRun;
import org.panamaverbs.cli.command.ExitStatus;

class SocketsCommandTest {
    @Test
    void saysWhatTheRulesSayAndWhichOfThem(@TempDir Path directory) throws IOException {
        Path rules = directory.resolve("some.rules");
        Files.writeString(rules, "# the fabric\nconnect 10.0.0.0/8 * require\nlisten * 80 off\n");

        CommandRun run = CommandRun.of("sockets", "--rules=" + rules, "10.0.0.7", "80");

        assertThat(run.status()).isEqualTo(ExitStatus.OK);
        assertThat(run.out())
                .startsWith("device ")
                .contains(
                        "connect  require: over RDMA, or not at all",
                        "(" + rules + ", line 2: connect 10.0.0.0/8 * require)",
                        "listen   off: over plain TCP",
                        "(" + rules + ", line 3: listen * 80 off)");
    }

    @Test
    void jsonCarriesTheSame(@TempDir Path directory) throws IOException {
        Path rules = directory.resolve("some.rules");
        Files.writeString(rules, "connect 10.0.0.0/8 * require\nlisten * 80 off\n");

        CommandRun run = CommandRun.of("sockets", "--json", "--rules=" + rules, "10.0.0.7", "80");

        assertThat(run.status()).isEqualTo(ExitStatus.OK);
        JsonObject said = JsonParser.parseString(run.out()).getAsJsonObject();
        assertThat(said.get("address").getAsString()).isEqualTo("10.0.0.7");
        assertThat(said.get("port").getAsInt()).isEqualTo(80);
        assertThat(said.getAsJsonObject("device").keySet()).containsExactly("name", "provider", "transport");
        assertThat(said.get("connect"))
                .isEqualTo(
                        way("require", "over RDMA, or not at all", rules + ", line 1: connect 10.0.0.0/8 * require"));
        assertThat(said.get("listen")).isEqualTo(way("off", "over plain TCP", rules + ", line 2: listen * 80 off"));
    }

    private static JsonObject way(String use, String how, String why) {
        JsonObject way = new JsonObject();
        way.addProperty("use", use);
        way.addProperty("how", how);
        way.addProperty("why", why);
        return way;
    }

    @Test
    void withoutRulesItIsAuto() {
        CommandRun run = CommandRun.of("sockets", "127.0.0.1", "1");

        assertThat(run.out()).contains("connect  auto: over RDMA, or over plain TCP if", "listen   auto: over RDMA");
    }

    @Test
    void whatIsWrongIsTold() {
        assertThat(CommandRun.of("sockets", "127.0.0.1", "65536").status()).isEqualTo(ExitStatus.USAGE);
        CommandRun run = CommandRun.of("sockets", "--rules=/nonexistent", "127.0.0.1", "1");
        assertThat(run.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(run.err()).contains("set it to require, auto, off or the path of a file");
    }
}
