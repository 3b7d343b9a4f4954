package org.panamaverbs.iwarp.core;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Octets that differ from the model. Only a run with a bit changed on the way may have some: the payload of the one
 * FPDU whose CRC was wrong, within one registration (RFC 5040 §3.1; RFC 5044 §4.4), and what a Read found there.
 */
final class SimDamage {
    private static final int LONGEST_FPDU = 65_536;

    /** The first octet of each zone that differs. */
    private record First(int at, String difference) {}

    private final boolean tolerated;
    private final Map<SimZone, First> damaged = new LinkedHashMap<>();

    SimDamage(boolean tolerated) {
        this.tolerated = tolerated;
    }

    /** An octet of {@code where} at {@code at} is not as the model says. */
    void found(SimZone where, int at, String difference) {
        First first = damaged.computeIfAbsent(where, zone -> new First(at, difference));
        if (!tolerated || at - first.at > LONGEST_FPDU) {
            throw new AssertionError("%s at %d: %s".formatted(where.name, at, difference));
        }
    }

    /** Fails if more differs than one FPDU can do. */
    void assertOfOneFpdu(Iterable<SimFlow> flows) {
        Map<SimZone, First> own = new LinkedHashMap<>(damaged);
        for (SimFlow flow : flows) {
            if (damaged.containsKey(flow.memory.remote) || damaged.containsKey(flow.memory.windowed)) {
                own.remove(flow.memory.sink);
            }
        }
        if (own.size() > 1) {
            StringBuilder text = new StringBuilder("more is damaged than one FPDU can do:");
            own.forEach(
                    (zone, first) -> text.append(" %s at %d: %s;".formatted(zone.name, first.at, first.difference)));
            throw new AssertionError(text.toString());
        }
    }
}
