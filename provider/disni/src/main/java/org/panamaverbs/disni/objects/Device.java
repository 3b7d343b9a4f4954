package org.panamaverbs.disni.objects;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;

/** The device of the process, opened when it is first wanted and open until it is closed or the end. */
public final class Device {
    private @Nullable Context context;
    private int opened;

    /** Returns its context, the same while it is open: DiSNI keeps domains and threads by its descriptor. */
    public synchronized Context context() throws IOException {
        if (context == null) {
            // Asked for by any thread, as of a pool that knows no application.
            ClassLoader loader = Device.class.getClassLoader();
            Verbs verbs = Failures.call("open", () -> Verbs.open(OpenConfig.fromEnvironment(), loader));
            context = new Context(verbs, ++opened);
        }
        return context;
    }

    /**
     * Closes the device with what DiSNI's groups have left behind, if it is open; the next who wants it opens it anew.
     *
     * @throws IOException if something else that was made of it is open, naming it
     */
    public synchronized void close() throws IOException {
        Context open = context;
        if (open != null) {
            Failures.run("closeDevice", open::end);
            context = null;
        }
    }
}
