package org.panamaverbs.api.spi;

import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;

/** A provider of verbs; registered as a service, with a public constructor without arguments that does no work. */
public interface VerbsProvider {
    /** Returns the name of the provider, lower case, for {@code -Dverbs.provider}. */
    String name();

    /** Returns the place of the provider among the providers: higher is tried first. Ours: ibverbs 100, iwarp 10. */
    int priority();

    /** Returns whether it can be used on this machine now; never throws. */
    Availability availability();

    /**
     * Returns whether what {@code config} asks for can be used on this machine now; never throws. Asked before
     * {@link #open}. A provider whose devices take time to examine examines no more of them than that needs: the one
     * that is named, or the first that can be used. An answer that has the device of that name is for the device alone;
     * where there is none of that name it names all others.
     *
     * @param config what is to be opened
     * @return {@link #availability()}, unless a provider knows better
     */
    default Availability availability(OpenConfig config) {
        return availability();
    }

    /**
     * Opens a device.
     *
     * @param config the device and the options; unknown options are refused
     * @param selection why this provider was chosen, for {@link Verbs#selection()}; the provider adds what is to be
     *     known of the device that it opens
     * @throws org.panamaverbs.api.VerbsException if it cannot be opened
     * @throws IllegalArgumentException for an unknown device or option, naming those that exist
     */
    Verbs open(OpenConfig config, String selection);
}
