package org.panamaverbs.bench.loopback.exchange;

import java.io.IOException;
import org.panamaverbs.bench.compare.standing.Floors;

/** What is measured, and what it is compared with just before and just after. */
public record Round(End.Figure before, End.Figure ours, End.Figure after) {
    private static final int ATTEMPTS = 3;

    /** Measures once. */
    @FunctionalInterface
    public interface Source {
        End.Figure measure() throws IOException;
    }

    /** Measures; once more where {@code other} was not the same before and after, twice at most. */
    public static Round of(Source other, Source ours) throws IOException {
        Round round = null;
        for (int attempt = 1; round == null || (!round.isSteady() && attempt <= ATTEMPTS); attempt++) {
            round = new Round(other.measure(), ours.measure(), other.measure());
        }
        return round;
    }

    private Floors floors() {
        return new Floors(before.value(), after.value());
    }

    /** Returns the mean of what it is compared with. */
    public double middle() {
        return floors().middle();
    }

    /** Tells whether what it is compared with was the same before and after. */
    public boolean isSteady() {
        return floors().areSteady();
    }

    /** Returns how many times the other it is. */
    public double ratio() {
        return ours.value() / middle();
    }
}
