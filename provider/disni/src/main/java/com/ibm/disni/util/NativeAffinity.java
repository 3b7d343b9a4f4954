package com.ibm.disni.util;

import org.jspecify.annotations.NullMarked;
import org.panamaverbs.disni.ThreadAffinity;

/**
 * Binds threads to processors: stands in for DiSNI's class of this name, which loads DiSNI's JNI library in every
 * thread that processes completions.
 */
@NullMarked
public class NativeAffinity {
    /** For whoever made one of DiSNI's. */
    public NativeAffinity() {}

    /**
     * Binds the calling thread to the processors of the mask {@code affinity}, if it is positive. A mask without any
     * processor of this machine, and a system other than Linux, change nothing.
     */
    public static void setAffinity(long affinity) {
        if (affinity > 0) {
            ThreadAffinity.set(affinity);
        }
    }

    /** Returns the mask of the first 64 processors that the calling thread may run on; 0 where it cannot be had. */
    public static long getAffinity() {
        return ThreadAffinity.get();
    }
}
