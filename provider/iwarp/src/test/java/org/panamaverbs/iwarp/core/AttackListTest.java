package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.panamaverbs.testkit.Requirement;

/**
 * Every attack once more, for what they have in common: the answer, memory and the octets around it untouched, and the
 * stream beside it alive; docs/results/attacks.tsv lists them, and attacks.md counts them by kind.
 * {@link HostilePeerTest} and {@link BadResponseTest} look closer at what a Terminate says.
 */
class AttackListTest {
    private static final Path LIST = Path.of("..", "..", "docs", "results", "attacks.md");
    private static final Path ROWS = LIST.resolveSibling("attacks.tsv");
    private static final String BEGIN = "<!-- attacks: generated from the tests -->";
    private static final String END = "<!-- end of attacks -->";

    private static final int SHOWN_OCTETS = 40;

    /** One attack of the list, with the octets of its last message, as far as they are shown. */
    record Row(String group, String name, String octets, String answer) {}

    static List<Attack> messages() {
        return Attacks.all().toList();
    }

    static List<OctetAttacks.OctetAttack> octets() {
        return OctetAttacks.all();
    }

    static List<StartupAttacks.StartupAttack> setUps() {
        return StartupAttacks.all();
    }

    private static Row play(Attack attack) {
        HostileFixture fixture = HostileFixture.responder().receives(attack.receives());
        byte[][] segments = attack.segments().apply(fixture);
        fixture.peer.inject(segments);
        assertHarmless(fixture);
        return new Row(attack.group(), attack.name(), hex(segments[segments.length - 1]), fixture.answer());
    }

    private static Row play(BadResponseTest.Answer answer) {
        HostileFixture fixture = BadResponseTest.asked();
        byte[][] segments = answer.segments().apply(fixture);
        fixture.peer.inject(segments);
        assertHarmless(fixture);
        return new Row("Wrong responses", answer.name(), hex(segments[segments.length - 1]), fixture.answer());
    }

    private static Row play(OctetAttacks.OctetAttack attack) {
        HostileFixture fixture = attack.fixture().get();
        attack.deed().accept(fixture);
        assertHarmless(fixture);
        return new Row(attack.group(), attack.name(), "", fixture.answer());
    }

    private static Row play(StartupAttacks.StartupAttack attack) {
        return new Row(attack.group(), attack.name(), hex(attack.octets()), attack.play());
    }

    private static String hex(byte[] octets) {
        return HexFormat.of().formatHex(octets, 0, Math.min(octets.length, SHOWN_OCTETS))
                + (octets.length > SHOWN_OCTETS ? "... (" + octets.length + ")" : "");
    }

    private static void assertHarmless(HostileFixture fixture) {
        fixture.assertMemoryUntouched();
        fixture.assertNeighbourAlive();
        assertThat(fixture.peer.terminates()).hasSizeLessThan(2);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void aBadMessageIsAnsweredAndHarmsNobodyElse(Attack attack) {
        assertThat(play(attack).answer()).isEqualTo("Terminate " + attack.code());
    }

    @ParameterizedTest
    @MethodSource("octets")
    void badOctetsAndTimesAreAnsweredAndHarmNobodyElse(OctetAttacks.OctetAttack attack) {
        assertThat(play(attack).answer()).isEqualTo(attack.answer());
    }

    @ParameterizedTest
    @MethodSource("setUps")
    @Requirement({"MPA-7.1.1-02", "MPA-7.1.1-04", "MPA-7.1.2-2-01"})
    void badSetUpsAreAnswered(StartupAttacks.StartupAttack attack) {
        assertThat(attack.play()).isEqualTo(attack.answer());
    }

    @Test
    void theListIsWhatIsTried() throws IOException {
        List<Row> all = rows();
        List<String> lines = Files.readAllLines(LIST);
        List<String> updated = new ArrayList<>(lines.subList(0, lines.indexOf(BEGIN) + 1));
        updated.addAll(counts(all));
        updated.addAll(lines.subList(lines.indexOf(END), lines.size()));
        if (Boolean.getBoolean("attacks.update")) {
            Files.write(LIST, updated);
            Files.write(ROWS, text(all));
            return;
        }
        assertThat(lines)
                .as("docs/results/attacks.md is stale: run this test with -Dattacks.update=true")
                .isEqualTo(updated);
        assertThat(Files.readAllLines(ROWS))
                .as("docs/results/attacks.tsv is stale: run this test with -Dattacks.update=true")
                .isEqualTo(text(all));
    }

    private static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        setUps().forEach(attack -> rows.add(play(attack)));
        messages().forEach(attack -> rows.add(play(attack)));
        BadResponseTest.answers().forEach(answer -> rows.add(play(answer)));
        octets().forEach(attack -> rows.add(play(attack)));
        return rows;
    }

    private static List<String> text(List<Row> rows) {
        return Stream.concat(
                        Stream.of("kind\tattack\tanswer\toctets"),
                        rows.stream()
                                .map(row -> String.join("\t", row.group(), row.name(), row.answer(), row.octets())
                                        .replace('"', '\'')))
                .toList();
    }

    private static List<String> counts(List<Row> rows) {
        Map<String, List<Row>> groups =
                rows.stream().collect(Collectors.groupingBy(Row::group, LinkedHashMap::new, Collectors.toList()));
        List<String> lines = new ArrayList<>(List.of("", rows.size() + " attacks:", ""));
        lines.addAll(List.of("| kind | attacks | answers |", "|---|--:|---|"));
        groups.forEach((group, of) -> lines.add("| " + group + " | " + of.size() + " | "
                + of.stream().map(Row::answer).distinct().collect(Collectors.joining("; ")) + " |"));
        lines.add("");
        return lines;
    }
}
