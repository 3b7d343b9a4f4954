package org.panamaverbs.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.panamaverbs.api.cm.TerminateReason;

/**
 * Holds docs/guide/errors.md against the types it explains. With {@code -Dguide.update=true} the tables of statuses and
 * of causes, which say what {@link WcStatus} and {@link TerminateReason} say, are written anew.
 */
class ErrorsGuideTest {
    private static final Path DOCUMENT = Path.of("../../docs/guide/errors.md");
    private static final String STATUSES = "| number | status | meaning | remedy |";
    private static final String CAUSES = "| code | `TerminateReason` | what happened | usual cause | remedy |";

    @Test
    void tableOfStatusesSaysWhatTheTypeSays() throws IOException {
        List<String> rows = new ArrayList<>(List.of("|---|---|---|---|"));
        for (WcStatus status : WcStatus.values()) {
            rows.add("| %d | `%s` | %s | %s |"
                    .formatted(
                            status.code(),
                            status,
                            status.meaning(),
                            status.remedy().isEmpty() ? "none" : status.remedy()));
        }
        expectTable(STATUSES, rows);
    }

    @Test
    void tableOfCausesSaysWhatTheTypeSays() throws IOException {
        List<String> rows = new ArrayList<>(List.of("|---|---|---|---|---|"));
        for (TerminateReason reason : TerminateReason.values()) {
            rows.add("| %s | `%s` | %s | %s | %s |"
                    .formatted(
                            reason == TerminateReason.UNREGISTERED ? "any other" : code(reason),
                            reason,
                            reason.text(),
                            reason.usualCause(),
                            reason.remedy()));
        }
        expectTable(CAUSES, rows);
    }

    /** Below the line {@code head} are {@code rows}; with the property they are written there. */
    private static void expectTable(String head, List<String> rows) throws IOException {
        List<String> lines = Files.readAllLines(DOCUMENT);
        int begin = lines.indexOf(head) + 1;
        assertThat(begin).as("the line " + head).isPositive();
        int end = begin;
        while (end < lines.size() && lines.get(end).startsWith("|")) {
            end++;
        }
        if (Boolean.getBoolean("guide.update")) {
            List<String> all = new ArrayList<>(lines.subList(0, begin));
            all.addAll(rows);
            all.addAll(lines.subList(end, lines.size()));
            Files.write(DOCUMENT, all);
            return;
        }
        assertThat(lines.subList(begin, end))
                .as("docs/guide/errors.md is stale: run provider/quick api ErrorsGuideTest -- -Dguide.update=true")
                .isEqualTo(rows);
    }

    @Test
    void noReceiveMeansAlsoOneThatIsTooShort() {
        // The kernel's siw ends both with 1/2/02.
        assertThat(TerminateReason.UNTAGGED_NO_BUFFER.usualCause()).contains("no receive posted", "siw", "too short");
        assertThat(TerminateReason.UNTAGGED_NO_BUFFER.remedy()).contains("post receives", "longest message");
    }

    private static String code(TerminateReason reason) {
        return reason.anyCode()
                ? "%x/%x".formatted(reason.layer(), reason.errorType())
                : "%x/%x/%02x".formatted(reason.layer(), reason.errorType(), reason.errorCode());
    }

    @Test
    void everyStatusButSuccessKnowsWhatToDo() {
        assertThat(WcStatus.SUCCESS.remedy()).isEmpty();
        for (WcStatus status : WcStatus.values()) {
            assertThat(status.remedy().isEmpty()).as("%s", status).isEqualTo(status == WcStatus.SUCCESS);
            assertThat(status.text()).startsWith(status.meaning()).endsWith(status.remedy());
        }
    }

    @Test
    void everyReasonOfAFailedConnectionHasItsMeaningAndRemedy() throws IOException {
        expectRows(
                "| `ConnectionException.Reason` |", ConnectionException.Reason.values(), reason -> "`" + reason + "`");
    }

    @Test
    void everyAsynchronousEventHasItsMeaningAndRemedy() throws IOException {
        expectRows("| `AsyncEvent.Type` |", AsyncEvent.Type.values(), type -> "`" + type + "`");
    }

    /** The table below {@code head} has one row for each value, in their order, and no empty cell. */
    private static <T> void expectRows(String head, T[] values, Function<T, String> firstCells) throws IOException {
        List<String> lines = Files.readAllLines(DOCUMENT);
        int at = 0;
        while (at < lines.size() && !lines.get(at).startsWith(head)) {
            at++;
        }
        int columns = lines.get(at).split("\\|", -1).length;
        Map<String, String> rows = new LinkedHashMap<>();
        for (int i = at + 2; i < lines.size() && lines.get(i).startsWith("|"); i++) {
            String[] cells = lines.get(i).split("\\|", -1);
            assertThat(cells).as(lines.get(i)).hasSize(columns);
            assertThat(Arrays.copyOfRange(cells, 1, columns - 1))
                    .as(lines.get(i))
                    .noneMatch(String::isBlank);
            rows.put(cells[1].trim(), lines.get(i));
        }
        assertThat(rows.keySet())
                .containsExactlyElementsOf(Arrays.stream(values).map(firstCells).toList());
    }

    @ParameterizedTest
    @EnumSource(TerminateReason.class)
    void everyReasonKnowsWhatToDo(TerminateReason reason) {
        assertThat(reason.text()).isNotBlank();
        assertThat(reason.usualCause()).isNotBlank().isNotEqualTo(reason.remedy());
        assertThat(reason.remedy()).isNotBlank();
        if (reason.isRegistered()) {
            assertThat(TerminateReason.of(reason.layer(), reason.errorType(), reason.errorCode()))
                    .isEqualTo(reason);
        }
    }

    @Test
    void numbersThatNobodyRegisteredAreNoOthers() {
        assertThat(TerminateReason.of(0, 1, 5)).isEqualTo(TerminateReason.UNREGISTERED);
        assertThat(TerminateReason.of(3, 0, 0)).isEqualTo(TerminateReason.UNREGISTERED);
        assertThat(TerminateReason.of(15, 15, 255)).isEqualTo(TerminateReason.UNREGISTERED);
        // RFC 5040 §4.8: this type has no codes.
        assertThat(TerminateReason.of(0, 0, 0x55)).isEqualTo(TerminateReason.RDMAP_LOCAL_CATASTROPHIC);
        // Some adapters say type 3 for the errors of MPA.
        assertThat(TerminateReason.of(2, 3, 2)).isEqualTo(TerminateReason.MPA_CRC);
    }
}
