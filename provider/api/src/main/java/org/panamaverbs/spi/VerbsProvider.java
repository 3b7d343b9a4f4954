package org.panamaverbs.spi;

import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.device.Availability;

/** A provider of verbs, registered as a service. It has a public constructor without arguments that does no work. */
public interface VerbsProvider {
    /** Returns the name of the provider in lower case, for {@code -Dverbs.provider}. */
    String name();

    /** Returns the priority of the provider: higher is tried first. ibverbs has 100, iwarp 10. */
    int priority();

    /** Returns whether the provider is usable on this machine now; never throws. */
    Availability availability();

    /**
     * Examines whether {@code config} can be opened on this machine now; never throws. If examining devices takes time,
     * examine no more than needed: the named device, or the first usable one, and keep that open for
     * {@link Examination#open}. With a named device the result covers that device only; if there is none of that name,
     * it lists all others.
     *
     * @param config what to open
     * @return {@link #availability()} and {@link #open} by default; the caller closes it
     */
    default Examination examine(OpenConfig config) {
        return new Examination(availability(), selection -> open(config, selection));
    }

    /**
     * Opens a device.
     *
     * @param config the device and the options; unknown options are refused
     * @param selection why this provider was chosen, for {@link Verbs#selection()}; the provider appends information on
     *     the device
     * @throws org.panamaverbs.api.VerbsException if it cannot be opened
     * @throws IllegalArgumentException if the device or an option is unknown, naming those that exist
     */
    Verbs open(OpenConfig config, String selection);
}
