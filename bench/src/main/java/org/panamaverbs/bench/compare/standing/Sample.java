package org.panamaverbs.bench.compare.standing;

import java.util.Map;
import org.panamaverbs.bench.compare.contestant.Question;
import org.panamaverbs.bench.machine.Load;

/**
 * What one contestant answered in one round.
 *
 * @param question the question
 * @param line who, and how
 * @param round from 1
 * @param value nanoseconds of a round trip, or how many a second
 * @param percentiles of round trips, by percent, in nanoseconds; empty if not known
 * @param load what else the machine did
 */
public record Sample(
        Question question, String line, int round, double value, Map<Double, Double> percentiles, Load load) {}
