package org.panamaverbs.iwarp;

import java.util.List;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.spi.Availability;
import org.panamaverbs.api.spi.VerbsProvider;
import org.panamaverbs.iwarp.verbs.IwarpVerbs;

/**
 * The provider {@code iwarp}: software iWARP over TCP, on any machine, interoperable with hardware iWARP adapters and
 * with Linux siw; with peers on the same host by shared memory.
 *
 * <p>Options are given by {@link OpenConfig#with}, or as system properties {@code verbs.iwarp.NAME}; the former win. An
 * unknown name or a value out of range is refused by {@link #open} with an {@link IllegalArgumentException}, which
 * names what there is. The guide's page {@code iwarp} has the table of options, each with its default, its values and
 * what it does.
 *
 * <p>Options of single connections, given by {@link ConnectionConfig#with} to {@code connect} or {@code accept}, win
 * over these: {@code draft.swap}, {@code shm}, {@code shm.dir}.
 */
public final class IwarpProvider implements VerbsProvider {
    private static final int PRIORITY = 10;

    /** Creates the provider. */
    public IwarpProvider() {}

    @Override
    public String name() {
        return IwarpVerbs.PROVIDER;
    }

    @Override
    public int priority() {
        return PRIORITY;
    }

    @Override
    public Availability availability() {
        return new Availability.Available(List.of(IwarpVerbs.describeDevice()));
    }

    @Override
    public Verbs open(OpenConfig config, String selection) {
        return IwarpVerbs.open(config, selection);
    }
}
