package org.panamaverbs.memory;

import java.lang.foreign.ValueLayout;

/** Run by {@link MemorySlabTest} in a JVM that denies native access: prints what still works. */
final class DeniedNativeAccess {
    private DeniedNativeAccess() {}

    public static void main(String[] arguments) {
        try (MemorySlab plain = MemorySlab.allocate(4096)) {
            plain.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
            System.out.println("plain: " + plain.bytes());
        }
        try (MemorySlab huge = MemorySlab.allocateHuge(4096)) {
            System.out.println(
                    "huge: " + huge.isHuge() + ", " + huge.fallbackReason().orElse("none"));
        }
        try {
            MemorySlab.shared("denied", 4096).close();
            System.out.println("shared: allowed");
        } catch (UnsupportedOperationException e) {
            System.out.println("shared: " + e.getMessage());
        }
    }
}
