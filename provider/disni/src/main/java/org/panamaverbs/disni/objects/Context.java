package org.panamaverbs.disni.objects;

import com.ibm.disni.verbs.IbvContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.panamaverbs.api.Verbs;

/** An open device. Its descriptor is a number of ours: DiSNI only uses it as a key. */
public final class Context extends IbvContext {
    private static final int COMPLETION_VECTORS = 1;

    private final Verbs verbs;
    // What was made of the device and not closed, in the order in which it was made, and how to close it: DiSNI's
    // groups leave their queues, channels and domains behind. Guarded by itself.
    private final Map<Object, Runnable> left = new LinkedHashMap<>();
    // What is in use and for an application to close, by what it is called. Guarded by left.
    private final Map<Object, String> held = new LinkedHashMap<>();

    /** Creates the context of {@code verbs}; {@code descriptor} is that of no other, open or closed. */
    public Context(Verbs verbs, int descriptor) throws IOException {
        super(descriptor, COMPLETION_VECTORS);
        this.verbs = verbs;
    }

    public Verbs verbs() {
        return verbs;
    }

    /** Takes note of {@code made}, which {@code close} closes. */
    void made(Object made, Runnable close) {
        synchronized (left) {
            left.put(made, close);
        }
    }

    /** Takes note that {@code made} is in use until it {@link #ended}; {@code name} says what it is. */
    public void holds(Object made, String name) {
        synchronized (left) {
            held.put(made, name);
        }
    }

    /** Takes note that {@code closed} is no more. */
    public void ended(Object closed) {
        synchronized (left) {
            left.remove(closed);
            held.remove(closed);
        }
    }

    /**
     * Closes what groups have left behind, and the device.
     *
     * @throws IllegalStateException if something is in use, naming it; then nothing is closed
     */
    void end() {
        List<Object> all;
        synchronized (left) {
            if (!held.isEmpty()) {
                throw new IllegalStateException("the device is in use: " + String.join(", ", held.values())
                        + "; remedy: close the endpoints and groups that have them");
            }
            all = new ArrayList<>(left.keySet());
        }
        for (Object each : all.reversed()) {
            Runnable close;
            synchronized (left) {
                close = left.get(each);
            }
            if (close != null) {
                close.run();
                ended(each);
            }
        }
        verbs.close();
    }

    /** Names the device for messages. */
    public String label() {
        return "device " + verbs.device().name() + " of provider " + verbs.provider();
    }
}
