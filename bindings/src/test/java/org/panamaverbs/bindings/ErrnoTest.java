package org.panamaverbs.bindings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ErrnoTest {
    private static final int BEYOND_LAST = 200;

    @Test
    void namesAgreeWithTheCLibrary() throws Throwable {
        // string.h of glibc 2.32 and later; it gives NULL for unknown numbers.
        var function = Linker.nativeLinker().defaultLookup().find("strerrorname_np");
        if (function.isEmpty()) {
            System.out.println("skipped: this C library has no strerrorname_np to compare with");
        }
        assumeTrue(function.isPresent());
        MethodHandle nameOf = Linker.nativeLinker()
                .downcallHandle(function.get(), FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_INT));

        int compared = 0;
        for (int number = 1; number < BEYOND_LAST; number++) {
            if (Errno.name(number).startsWith("errno ")) {
                continue;
            }
            MemorySegment name = (MemorySegment) nameOf.invokeExact(number);
            String expected = name.reinterpret(Long.MAX_VALUE).getString(0);
            assertThat(List.of(expected, alias(expected)))
                    .as("errno %d", number)
                    .contains(Errno.name(number));
            compared++;
        }
        assertThat(compared).isGreaterThan(60);
    }

    /** The C library knows one name per number; the other one is as good (errno.h, bits/errno.h). */
    private static String alias(String name) {
        return switch (name) {
            case "ENOTSUP" -> "EOPNOTSUPP";
            case "EDEADLOCK" -> "EDEADLK";
            case "EWOULDBLOCK" -> "EAGAIN";
            default -> name;
        };
    }

    @Test
    void constantsAgreeWithTheTable() throws IllegalAccessException {
        List<Field> constants = Arrays.stream(Errno.class.getFields())
                .filter(field -> field.getType() == int.class)
                .toList();

        assertThat(constants).hasSizeGreaterThan(20);
        for (Field constant : constants) {
            assertThat(Errno.name(constant.getInt(null))).isEqualTo(constant.getName());
        }
    }

    @Test
    void describesKnownAndUnknownNumbers() {
        assertThat(Errno.describe(Errno.ENOSYS)).isEqualTo("ENOSYS (38): function not implemented by this kernel");
        assertThat(Errno.describe(Errno.ENOMEM)).isEqualTo("ENOMEM (12): out of memory, or over the memlock limit");
        assertThat(Errno.describe(0)).isEqualTo("errno 0 (0): unknown error");
        assertThat(Errno.name(4711)).isEqualTo("errno 4711");
        assertThat(Errno.name(-1)).isEqualTo("errno -1");
    }
}
