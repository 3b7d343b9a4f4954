package org.panamaverbs.disni;

import com.ibm.disni.verbs.IbvContext;
import java.io.IOException;
import org.panamaverbs.api.Verbs;

/** An open device. Its descriptor is a number of ours: DiSNI only uses it as a key. */
final class Context extends IbvContext {
    private static final int DESCRIPTOR = 1;
    private static final int COMPLETION_VECTORS = 1;

    private final Verbs verbs;

    Context(Verbs verbs) throws IOException {
        super(DESCRIPTOR, COMPLETION_VECTORS);
        this.verbs = verbs;
    }

    Verbs verbs() {
        return verbs;
    }

    /** Names it for messages. */
    String label() {
        return "device " + verbs.device().name() + " of provider " + verbs.provider();
    }
}
