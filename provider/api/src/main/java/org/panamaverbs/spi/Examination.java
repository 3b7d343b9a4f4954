package org.panamaverbs.spi;

import java.util.function.Function;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.device.Availability;

/**
 * What a provider found where a device is to be opened. It may hold that device open already, so that it is opened
 * once; {@link #close} closes it unless {@link #open} handed it over. For one thread.
 */
public final class Examination implements AutoCloseable {
    private final Availability found;
    private final Function<String, Verbs> opening;
    private final Runnable end;

    /**
     * Creates an examination that holds nothing.
     *
     * @param opening as {@link VerbsProvider#open}, given why the provider was chosen
     */
    public Examination(Availability found, Function<String, Verbs> opening) {
        this(found, opening, () -> {});
    }

    /**
     * Creates an examination that holds a device.
     *
     * @param opening as {@link VerbsProvider#open}, given why the provider was chosen; called once at most
     * @param end closes the device unless {@code opening} was called
     */
    public Examination(Availability found, Function<String, Verbs> opening, Runnable end) {
        this.found = found;
        this.opening = opening;
        this.end = end;
    }

    /** Returns whether what was asked for can be used. */
    public Availability found() {
        return found;
    }

    /**
     * Opens what was asked for, once.
     *
     * @param selection why the provider was chosen, for {@link Verbs#selection()}
     * @throws org.panamaverbs.api.VerbsException if it cannot be opened
     * @throws IllegalArgumentException for an unknown device or option, naming those that exist
     */
    public Verbs open(String selection) {
        return opening.apply(selection);
    }

    @Override
    public void close() {
        end.run();
    }
}
