package org.panamaverbs.disni.objects;

import com.ibm.disni.verbs.IbvContext;
import java.io.IOException;
import org.panamaverbs.api.Verbs;

/** An open device. Its descriptor is a number of ours: DiSNI only uses it as a key. */
public final class Context extends IbvContext {
    private static final int DESCRIPTOR = 1;
    private static final int COMPLETION_VECTORS = 1;

    private final Verbs verbs;

    public Context(Verbs verbs) throws IOException {
        super(DESCRIPTOR, COMPLETION_VECTORS);
        this.verbs = verbs;
    }

    public Verbs verbs() {
        return verbs;
    }

    /** Names the device for messages. */
    public String label() {
        return "device " + verbs.device().name() + " of provider " + verbs.provider();
    }
}
