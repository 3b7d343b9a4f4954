package org.panamaverbs.cli.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.panamaverbs.cli.decode.iwarp.Event;

/**
 * Every field that tshark prints of the example captures, frame by frame, against ours. What differs is named here,
 * with the reason, and nothing else may differ.
 */
class TsharkComparisonTest {
    /** Where tshark says something else, by capture, frame and field: all of it is known of Wireshark 4.0. */
    private static final Set<String> DIFFERENT = Set.of(
            // A Terminate of layer 0 and type 1 is taken to return a tagged header, though this one is
            // untagged: what is returned is cut after 14 octets and goes on as a Read Request's header.
            "rev2_all 22 iwarp_rdma.term_ddp_h",
            "rev2_all 22 iwarp_rdma.term_rdma_h",
            "terms 27 iwarp_rdma.term_ddp_h",
            "terms 27 iwarp_rdma.term_rdma_h",
            "terms 37 iwarp_rdma.term_ddp_h",
            // siw's order of the bits, which tshark takes as they stand.
            "terms 107 iwarp_rdma.term_layer",
            "terms 107 iwarp_rdma.term_etype",
            "terms 107 iwarp_rdma.term_hdrct_m",
            "terms 107 iwarp_rdma.hdrct_d",
            "terms 107 iwarp_rdma.term_rsvd",
            // The draft's Swap: it reads the first operand as Compare Data, too, and no others.
            "swap_draft 7 iwarp_rdma.atomic.compare_data");

    /** What tshark does not print of a unit that it prints, for the same reasons. */
    private static final Set<String> UNPRINTED = Set.of(
            "swap_draft 7 iwarp_rdma.atomic.swap_data",
            "swap_draft 7 iwarp_rdma.atomic.swap_mask",
            "terms 107 iwarp_rdma.term_ddp_seg_len",
            "terms 107 iwarp_rdma.term_ddp_h");

    /** FPDUs that tshark does not see, by capture and frame. */
    private static final Set<String> UNSEEN = Set.of(
            "reply_plus_fpdu 5", // an FPDU in the segment of the MPA Reply
            "markers_one_way 7"); // the direction without markers, where the other one has them

    private static Map<String, String> types = Map.of();

    @BeforeAll
    static void findTshark() {
        boolean installed = Tshark.isInstalled();
        String otherwise = "tshark is not installed, so nothing was compared with it";
        if (!installed) {
            System.out.println("not run: TsharkComparisonTest: " + otherwise);
        }
        assumeTrue(installed, otherwise);
        types = Tshark.fields();
    }

    private static String name(Path capture) {
        return capture.getFileName().toString().replace(".pcap", "");
    }

    private static List<String> fields() {
        return List.copyOf(types.keySet());
    }

    /** Our units by the frame that completes them, as tshark counts. */
    private static Map<Long, List<Event.Unit>> units(Path capture) {
        Map<Long, List<Event.Unit>> frames = new TreeMap<>();
        for (Event.Unit unit : Decoded.of(Decoded.octets(name(capture))).units()) {
            frames.computeIfAbsent(unit.place().frames().getLast(), frame -> new ArrayList<>())
                    .add(unit);
        }
        return frames;
    }

    private static Map<String, List<String>> ours(List<Event.Unit> units) {
        Map<String, List<String>> ours = new HashMap<>();
        for (Event.Unit unit : units) {
            TsharkFields.of(unit)
                    .forEach((field, values) -> ours.computeIfAbsent(field, key -> new ArrayList<>())
                            .addAll(values));
        }
        return ours;
    }

    private static Map<String, List<String>> theirs(Map<String, List<String>> frame) {
        Map<String, List<String>> theirs = new HashMap<>();
        frame.forEach((field, values) -> {
            if (!field.startsWith("iwarp_rdma.send.")) { // its own reassembly of Sends, no field of the wire
                String type = types.getOrDefault(field, "");
                theirs.put(
                        TsharkFields.common(field),
                        values.stream()
                                .map(value -> TsharkFields.normal(value, type))
                                .toList());
            }
        });
        return theirs;
    }

    @Test
    void agreesOnEveryFieldThatTsharkPrints() {
        List<String> differences = new ArrayList<>();
        Set<String> expected = new TreeSet<>();
        int compared = 0;
        for (Path capture : Decoded.captures()) {
            Map<Long, List<Event.Unit>> units = units(capture);
            for (var frame : Tshark.values(capture, fields()).entrySet()) {
                Map<String, List<String>> ours = ours(units.getOrDefault(frame.getKey(), List.of()));
                for (var field : theirs(frame.getValue()).entrySet()) {
                    String where = name(capture) + " " + frame.getKey() + " " + field.getKey();
                    List<String> mine = ours.getOrDefault(field.getKey(), List.of());
                    compared++;
                    if (mine.equals(field.getValue())) {
                        continue;
                    }
                    if (DIFFERENT.contains(where)) {
                        expected.add(where);
                    } else {
                        differences.add(where + ": " + field.getValue() + ", ours " + mine);
                    }
                }
            }
        }

        assertThat(differences).isEmpty();
        assertThat(expected).as("differences that are none any more").isEqualTo(new TreeSet<>(DIFFERENT));
        assertThat(compared).isGreaterThan(900);
    }

    @Test
    void tsharkPrintsEveryFieldOfOursThatItKnows() {
        Map<String, List<String>> missing = new LinkedHashMap<>();
        Set<String> unseen = new TreeSet<>();
        Set<String> unprinted = new TreeSet<>();
        for (Path capture : Decoded.captures()) {
            Map<Long, Map<String, List<String>>> theirs = Tshark.values(capture, fields());
            units(capture).forEach((frame, units) -> {
                Map<String, List<String>> seen = theirs(theirs.getOrDefault(frame, Map.of()));
                String where = name(capture) + " " + frame;
                ours(units).forEach((field, values) -> {
                    if (seen.containsKey(field) || DIFFERENT.contains(where + " " + field)) {
                        return;
                    }
                    if (UNSEEN.contains(where)) {
                        unseen.add(where);
                    } else if (UNPRINTED.contains(where + " " + field)) {
                        unprinted.add(where + " " + field);
                    } else {
                        missing.computeIfAbsent(where, key -> new ArrayList<>()).add(field);
                    }
                });
            });
        }

        assertThat(unseen).isEqualTo(new TreeSet<>(UNSEEN));
        assertThat(unprinted).isEqualTo(new TreeSet<>(UNPRINTED));
        assertThat(missing).isEmpty();
    }

    @Test
    void agreesOnWhichCrcsAreGood() {
        int good = 0;
        int bad = 0;
        for (Path capture : Decoded.captures()) {
            List<String> lines = Tshark.dissect(capture, List.of("-V", "-O", "iwarp_mpa"));
            long unseen = UNSEEN.stream()
                    .filter(where -> where.startsWith(name(capture) + " "))
                    .count();
            long ourGood = states(capture, "good") - unseen;
            assertThat(lines.stream()
                            .filter(line -> line.contains("Good CRC32"))
                            .count())
                    .as(name(capture))
                    .isEqualTo(ourGood);
            assertThat(lines.stream().filter(line -> line.contains("Bad CRC32")).count())
                    .as(name(capture))
                    .isEqualTo(states(capture, "bad"));
            good += (int) ourGood;
            bad += (int) states(capture, "bad");
        }

        assertThat(good).isGreaterThan(50);
        assertThat(bad).isPositive();
    }

    private static long states(Path capture, String state) {
        return Decoded.of(Decoded.octets(name(capture))).units().stream()
                .filter(unit -> unit.fields().getFirst().label().endsWith("CRC " + state))
                .count();
    }
}
