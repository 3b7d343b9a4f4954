package org.panamaverbs.disni.objects;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Verbs;

/** The device of the process, opened when it is first wanted and open until the end. */
public final class Device {
    private @Nullable Context context;

    /** Returns its context, always the same: DiSNI keeps protection domains and threads by its descriptor. */
    public synchronized Context context() throws IOException {
        if (context == null) {
            Verbs verbs = Failures.call("open", Verbs::open);
            context = new Context(verbs);
        }
        return context;
    }
}
