package org.panamaverbs.ibverbs.device;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.panamaverbs.bindings.NativeLibrary;

/** Whether this module may call native code; the bindings answer for themselves. */
final class NativeAccess {
    private NativeAccess() {}

    /** Returns the flag that {@code java} lacks to grant native access to the bindings and to this module. */
    static Optional<String> missingFlag() {
        Module ours = NativeAccess.class.getModule();
        boolean granted = ours.isNativeAccessEnabled()
                && NativeLibrary.missingNativeAccessFlag().isEmpty();
        return granted ? Optional.empty() : Optional.of(flag(ours));
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
            return Optional.of("native access is denied to " + name(ours) + ": start java with " + flag(ours));
        }
    }

    /** Returns the flag that grants native access to the bindings and to {@code module}. */
    private static String flag(Module module) {
        Module bindings = NativeLibrary.class.getModule();
        String both =
                option(bindings).equals(option(module)) ? option(module) : option(bindings) + "," + option(module);
        return "--enable-native-access=" + both;
    }

    private static String option(Module module) {
        return module.isNamed() ? module.getName() : "ALL-UNNAMED";
    }

    private static String name(Module module) {
        return module.isNamed() ? "module " + module.getName() : "the class path";
    }
}
