package org.panamaverbs.ibverbs.device;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.panamaverbs.bindings.NativeLibrary;

/** Whether this module may call native code; the bindings answer for themselves. */
final class NativeAccess {
    private NativeAccess() {}

    /** Returns the flag that {@code java} lacks to grant native access to the bindings and to this module. */
    static Optional<String> missingFlag() {
        return NativeLibrary.missingNativeAccessFlag(NativeAccess.class.getModule());
    }

    /** Returns why it may not, followed by the remedy; empty if it may. */
    static Optional<String> denial() {
        Module ours = NativeAccess.class.getModule();
        if (ours.isNativeAccessEnabled()) {
            return Optional.empty();
        }
        try {
            // Neither granted nor denied: an attempt tells, and has the JDK warn once.
            MemorySegment attempt = MemorySegment.NULL.reinterpret(0);
            assert attempt.byteSize() == 0;
            return Optional.empty();
        } catch (IllegalCallerException e) {
            return Optional.of("native access is denied to " + name(ours) + "; remedy: start java with "
                    + NativeLibrary.nativeAccessFlag(ours));
        }
    }

    private static String name(Module module) {
        return module.isNamed() ? "module " + module.getName() : "the class path";
    }
}
