package org.panamaverbs.bench.compare.page;

import org.panamaverbs.bench.compare.contestant.CFloor;
import org.panamaverbs.bench.compare.contestant.Libfabric;
import org.panamaverbs.bench.compare.contestant.Ours;
import org.panamaverbs.bench.compare.contestant.UcxPerftest;

/** Which of the page's styles a line has: the same in all plots. */
final class Styles {
    private Styles() {}

    static int of(String line) {
        if (line.startsWith(CFloor.LINE)) {
            return 0;
        }
        if (line.startsWith(Ours.CRC_ON)) {
            return line.equals(Ours.CRC_ON) ? 1 : 8;
        }
        if (line.startsWith(Ours.CRC_OFF)) {
            return 2;
        }
        if (line.startsWith("UCX")) {
            return line.equals(UcxPerftest.TAG) ? 3 : 9;
        }
        if (line.startsWith("JUCX")) {
            return 4;
        }
        if (line.startsWith(Libfabric.LINE)) {
            return 5;
        }
        return line.startsWith("Netty") ? 6 : 7;
    }
}
