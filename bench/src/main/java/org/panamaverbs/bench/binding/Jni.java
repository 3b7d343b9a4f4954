package org.panamaverbs.bench.binding;

import java.nio.file.Path;
import org.panamaverbs.bindings.NativeLibrary;

/** The data path behind JNI, as other bindings have it: raw addresses in, the C function's result out. */
final class Jni {
    static {
        System.load(Path.of(NativeLibrary.IBVERBS.fileName()).toAbsolutePath().toString());
    }

    private Jni() {}

    static native int postSend(long qp, long wr, long badWr);

    static native int pollCq(long cq, int entries, long wc);

    static native int reqNotifyCq(long cq, int solicitedOnly);
}
