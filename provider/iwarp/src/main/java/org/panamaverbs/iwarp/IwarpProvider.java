package org.panamaverbs.iwarp;

import java.util.List;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.device.Availability;
import org.panamaverbs.iwarp.verbs.IwarpVerbs;
import org.panamaverbs.spi.VerbsProvider;

/**
 * The provider {@code iwarp}: software iWARP over TCP on any machine, interoperable with hardware iWARP adapters and
 * with Linux siw; over shared memory with peers on the same host.
 *
 * <p>Options are set by {@link OpenConfig#with}, which takes precedence, or as system properties
 * {@code verbs.iwarp.NAME}. {@link #open} refuses an unknown name or an invalid value with an
 * {@link IllegalArgumentException} that lists the valid ones. The guide's page {@code iwarp} has the table of options.
 *
 * <p>Options of single connections, set by {@link ConnectionConfig#with} for {@code connect} or {@code accept}, take
 * precedence over these: {@code draft.swap}, {@code shm}, {@code shm.dir}. So does that of a listener, set by
 * {@link ListenerConfig#with}: {@code reply.begin}.
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
