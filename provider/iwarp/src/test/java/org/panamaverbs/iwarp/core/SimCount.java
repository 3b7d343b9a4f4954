package org.panamaverbs.iwarp.core;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What many runs were made of. */
final class SimCount {
    private final Map<SimTrouble, int[]> troubles = new EnumMap<>(SimTrouble.class);
    private long runs;
    private long requests;
    private long octets;
    private long direct;
    private long good;
    private long flushed;
    private long failed;

    /** A run was to see {@code trouble}, and did if it {@code struck}. */
    void run(SimTrouble trouble, boolean struck) {
        runs++;
        int[] counts = troubles.computeIfAbsent(trouble, key -> new int[2]);
        counts[0]++;
        counts[1] += struck ? 1 : 0;
    }

    /** A side posted {@code posted} requests and saw these completions. */
    void requests(int posted, List<Wc> sends, List<Wc> receives) {
        requests += posted;
        sends.forEach(this::completion);
        receives.forEach(this::completion);
    }

    private void completion(Wc wc) {
        if (wc.ok()) {
            good++;
        } else if (wc.flushed()) {
            flushed++;
        } else {
            failed++;
        }
    }

    /** A side carried out so many requests itself. */
    void direct(long count) {
        direct += count;
    }

    /** So many octets went over the connection. */
    void octets(long count) {
        octets += count;
    }

    /** Returns the count for people. */
    String text() {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%,d runs: %,d requests, %,d octets; completions: %,d success, %,d flushed, %,d other errors%n",
                runs,
                requests,
                octets,
                good,
                flushed,
                failed));
        if (direct > 0) {
            text.append(String.format(Locale.ROOT, "%,d requests were carried out directly%n", direct));
        }
        troubles.forEach((trouble, counts) -> text.append(
                String.format(Locale.ROOT, "  %-15s in %,8d runs, befell %,8d%n", trouble, counts[0], counts[1])));
        return text.toString();
    }
}
