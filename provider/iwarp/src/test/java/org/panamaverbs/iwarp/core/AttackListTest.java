package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.panamaverbs.testkit.Requirement;

/**
 * Every attack once more, for what they have in common: the answer, memory and the octets around it untouched, and the
 * stream beside it alive; docs/results/attacks.md lists them by kind and answer. {@link HostilePeerTest} and
 * {@link BadResponseTest} look closer at what a Terminate says.
 */
class AttackListTest {
    private static final Path LIST = Path.of("..", "..", "docs", "results", "attacks.md");
    private static final String BEGIN = "<!-- attacks: generated from the tests -->";
    private static final String END = "<!-- end of attacks -->";

    /** One attack of the list. */
    record Row(String group, String name, String answer) {}

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
        return new Row(attack.group(), attack.name(), fixture.answer());
    }

    private static Row play(BadResponseTest.Answer answer) {
        HostileFixture fixture = BadResponseTest.asked();
        byte[][] segments = answer.segments().apply(fixture);
        fixture.peer.inject(segments);
        assertHarmless(fixture);
        return new Row("Wrong responses", answer.name(), fixture.answer());
    }

    private static Row play(OctetAttacks.OctetAttack attack) {
        HostileFixture fixture = attack.fixture().get();
        attack.deed().accept(fixture);
        assertHarmless(fixture);
        return new Row(attack.group(), attack.name(), fixture.answer());
    }

    private static Row play(StartupAttacks.StartupAttack attack) {
        return new Row(attack.group(), attack.name(), attack.play());
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
        List<String> lines = Files.readAllLines(LIST);
        List<String> updated = new ArrayList<>(lines.subList(0, lines.indexOf(BEGIN) + 1));
        updated.addAll(table());
        updated.addAll(lines.subList(lines.indexOf(END), lines.size()));
        if (Boolean.getBoolean("attacks.update")) {
            Files.write(LIST, updated);
            return;
        }
        assertThat(lines)
                .as("docs/results/attacks.md is stale: run this test with -Dattacks.update=true")
                .isEqualTo(updated);
    }

    private static List<String> table() {
        List<Row> rows = new ArrayList<>();
        setUps().forEach(attack -> rows.add(play(attack)));
        messages().forEach(attack -> rows.add(play(attack)));
        BadResponseTest.answers().forEach(answer -> rows.add(play(answer)));
        octets().forEach(attack -> rows.add(play(attack)));
        Map<String, List<Row>> groups =
                rows.stream().collect(Collectors.groupingBy(Row::group, LinkedHashMap::new, Collectors.toList()));
        List<String> lines = new ArrayList<>(List.of("", rows.size() + " attacks, by kind and answer:", ""));
        lines.addAll(List.of("| kind | answer | attacks |", "|---|---|---|"));
        groups.forEach((group, ofGroup) -> {
            Map<String, List<String>> answers = ofGroup.stream()
                    .collect(Collectors.groupingBy(
                            Row::answer, LinkedHashMap::new, Collectors.mapping(Row::name, Collectors.toList())));
            answers.forEach((answer, names) -> {
                boolean isFirst = answer.equals(ofGroup.getFirst().answer());
                String kind = isFirst ? " " + group + ": " + ofGroup.size() + " " : " ";
                lines.add("|" + kind + "| " + answer + " | " + String.join("; ", names) + " |");
            });
        });
        lines.add("");
        return lines;
    }
}
