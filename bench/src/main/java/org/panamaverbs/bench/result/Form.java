package org.panamaverbs.bench.result;

import java.util.Locale;

/** How thorough a run is; what that comes to, each of those who measure says itself. */
public enum Form {
    /** Next to nothing: does everything run? */
    SMOKE,
    /** Some minutes. */
    QUICK,
    /** As long as figures need that are published. */
    FULL;

    /** Returns the name as commands have it. */
    public String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the form that commands call {@code title}. */
    public static Form of(String title) {
        for (Form form : values()) {
            if (form.title().equals(title)) {
                return form;
            }
        }
        throw new IllegalArgumentException("no form is called " + title);
    }
}
