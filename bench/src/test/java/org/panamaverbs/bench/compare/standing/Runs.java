package org.panamaverbs.bench.compare.standing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.panamaverbs.bench.compare.contestant.CFloor;
import org.panamaverbs.bench.compare.contestant.JavaPeer;
import org.panamaverbs.bench.compare.contestant.Ours;
import org.panamaverbs.bench.compare.contestant.Point;
import org.panamaverbs.bench.compare.contestant.Question;
import org.panamaverbs.bench.compare.contestant.UcxPerftest;
import org.panamaverbs.bench.machine.Load;

/** Runs that nobody made. */
public final class Runs {
    static final Load QUIET = new Load(2.0, 0.5, "", 0);
    public static final Load DISTURBED = new Load(4.0, 80, "javac", 2);

    private Runs() {}

    public static Sample sample(Question question, String line, int round, double value) {
        return new Sample(question, line, round, value, Map.of(), QUIET);
    }

    static Sample trips(Question question, String line, int round, double median) {
        return new Sample(
                question,
                line,
                round,
                median,
                Map.of(0.0, median / 2, 50.0, median, 99.0, 2 * median, 99.9, 8 * median),
                QUIET);
    }

    /** Three rounds of what the page shows, in which ours is 1.1 times C. */
    public static Comparison comparison() {
        List<Sample> samples = new ArrayList<>();
        for (int round = 1; round <= 3; round++) {
            samples.add(trips(Question.WRITE_64, CFloor.LINE, round, 6000 + round));
            samples.add(trips(Question.WRITE_64, Ours.CRC_ON, round, 1.1 * (6000 + round)));
            samples.add(trips(Question.SEND_64, Ours.CRC_ON, round, 1.2 * (6000 + round)));
            samples.add(sample(Question.WRITE_64, UcxPerftest.PUT, round, 17_000));
            samples.add(sample(Question.SEND_64, UcxPerftest.TAG, round, 9000));
            samples.add(trips(Question.SEND_64, JavaPeer.AERON_LINE, round, 8000));
            samples.add(sample(Question.WRITE_1M, CFloor.LINE, round, 5.3e9));
            samples.add(sample(Question.WRITE_1M, Ours.CRC_ON, round, 2.65e9));
        }
        List<Point> points = new ArrayList<>();
        for (double size : new double[] {8, 64, 512, 4096}) {
            points.add(new Point(Point.Curve.BANDWIDTH_BY_SIZE, CFloor.LINE, size, size * 1e6));
            points.add(new Point(Point.Curve.LATENCY_BY_SIZE, Ours.CRC_OFF, size, 6000 + size));
        }
        points.add(new Point(Point.Curve.LATENCY_BY_PERCENTILE, UcxPerftest.TAG, 50, 9000));
        points.add(new Point(Point.Curve.LATENCY_BY_PERCENTILE, UcxPerftest.TAG, 99.9, 90_000));
        Map<String, String> setting = new LinkedHashMap<>();
        setting.put("command", "bench/compare --full");
        setting.put("machine", "a <test> & more");
        return new Comparison(
                setting,
                Map.of("Netty", "4.2"),
                Map.of("libfabric", "no fi_pingpong: apt-get install libfabric-bin"),
                List.of("64 B, round 2: did not end in 40 s"),
                samples,
                points);
    }

    /** Three rounds on one host, in which everybody is as fast in each, and Open MPI is not there. */
    static Comparison oneHost() {
        List<Sample> samples = new ArrayList<>();
        for (int round = 1; round <= 3; round++) {
            samples.add(trips(Question.HOST_WRITE_64, Question.HOST_WRITE_64.floorLine(), round, 250));
            samples.add(trips(Question.HOST_WRITE_64, Ours.SHARED_MEMORY, round, 900));
            samples.add(sample(Question.HOST_SEND_64, JavaPeer.JUCX_POSIX_LINE, round, 2000));
            samples.add(sample(Question.HOST_WRITE_64, Question.HOST_WRITE_64.floorLine(), round, 250));
            samples.add(sample(Question.HOST_ALLOCATION, Ours.SHARED_MEMORY, round, 0));
        }
        return new Comparison(
                Map.of("command", "bench/compare --one-host"),
                Map.of("C", "gcc 12"),
                Map.of("Open MPI", "no mpirun: apt-get install openmpi-bin, or bench/compare --install"),
                List.of(),
                samples,
                List.of());
    }
}
