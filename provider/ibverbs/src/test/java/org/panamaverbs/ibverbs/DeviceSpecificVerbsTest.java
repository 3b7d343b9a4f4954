package org.panamaverbs.ibverbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.panamaverbs.api.ext.NativeObject;

/**
 * A call of a vendor's that the API does not have, as docs/guide/native-verbs.md shows it: its layout against gcc's. No
 * adapter was there to answer it.
 */
class DeviceSpecificVerbsTest {
    private static final Path HEADER = Path.of("/usr/include/infiniband/mlx5dv.h");

    /** {@code mlx5dv_query_device(3)} of an open device. */
    private static final class Mlx5Query {
        // infiniband/mlx5dv.h: struct mlx5dv_context of rdma-core 44, in which later ones append.
        private static final StructLayout CONTEXT = MemoryLayout.structLayout(
                JAVA_BYTE.withName("version"),
                MemoryLayout.paddingLayout(7),
                JAVA_LONG.withName("flags"),
                JAVA_LONG.withName("comp_mask"),
                MemoryLayout.structLayout(JAVA_INT.withName("max_num"), JAVA_INT.withName("supported_format"))
                        .withName("cqe_comp_caps"),
                MemoryLayout.paddingLayout(232)); // room for what is not asked for
        private static final long REAL_TIME_TS = 1 << 7; // MLX5DV_CONTEXT_FLAGS_REAL_TIME_TS

        private final MethodHandle call;

        Mlx5Query(SymbolLookup library) {
            MemorySegment address = library.find("mlx5dv_query_device").orElseThrow();
            call = Linker.nativeLinker().downcallHandle(address, FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
        }

        /** Tells whether completions are stamped with the time of day, which PTP keeps. */
        boolean hasRealTimeStamps(NativeObject verbs) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment attributes = arena.allocate(CONTEXT);
                int errno = verbs.withNative(context -> query(context, attributes));
                if (errno != 0) {
                    throw new UnsupportedOperationException("mlx5dv_query_device: error " + errno + ": no mlx5 device");
                }
                return (attributes.get(JAVA_LONG, CONTEXT.byteOffset(PathElement.groupElement("flags"))) & REAL_TIME_TS)
                        != 0;
            }
        }

        private int query(MemorySegment context, MemorySegment attributes) {
            try {
                return (int) call.invokeExact(context, attributes);
            } catch (Throwable e) {
                throw new AssertionError("a downcall threw", e);
            }
        }
    }

    @Test
    void theLayoutIsThatOfTheCompiler(@TempDir Path directory) throws IOException, InterruptedException {
        assumeTrue(Files.isReadable(HEADER), HEADER + ": apt-get install libibverbs-dev");
        String facts = """
                #include <infiniband/mlx5dv.h>
                #include <stddef.h>
                _Static_assert(offsetof(struct mlx5dv_context, version) == %d, "version");
                _Static_assert(offsetof(struct mlx5dv_context, flags) == %d, "flags");
                _Static_assert(offsetof(struct mlx5dv_context, comp_mask) == %d, "comp_mask");
                _Static_assert(offsetof(struct mlx5dv_context, cqe_comp_caps) == %d, "cqe_comp_caps");
                _Static_assert(sizeof(((struct mlx5dv_context *)0)->flags) == 8, "size of flags");
                _Static_assert(sizeof(struct mlx5dv_context) <= %d, "size");
                _Static_assert(MLX5DV_CONTEXT_FLAGS_REAL_TIME_TS == %d, "flag");
                int (*query)(struct ibv_context *, struct mlx5dv_context *) = mlx5dv_query_device;
                """;
        Object[] layout = {
            offset("version"),
            offset("flags"),
            offset("comp_mask"),
            offset("cqe_comp_caps"),
            Mlx5Query.CONTEXT.byteSize(),
            Mlx5Query.REAL_TIME_TS
        };
        assertThat(compiles(directory, facts.formatted(layout))).isTrue();
        layout[1] = 16L;
        assertThat(compiles(directory, facts.formatted(layout)))
                .as("an offset that is wrong")
                .isFalse();
    }

    private static long offset(String member) {
        return Mlx5Query.CONTEXT.byteOffset(PathElement.groupElement(member));
    }

    private static boolean compiles(Path directory, String source) throws IOException, InterruptedException {
        Path file = Files.writeString(directory.resolve("facts.c"), source);
        Process gcc;
        try {
            gcc = new ProcessBuilder(List.of("gcc", "-std=gnu11", "-fsyntax-only", file.toString()))
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("gcc.txt").toFile())
                    .start();
        } catch (IOException e) {
            assumeTrue(false, "no gcc: " + e.getMessage());
            throw e;
        }
        assertThat(gcc.waitFor(120, TimeUnit.SECONDS)).isTrue();
        return gcc.exitValue() == 0;
    }

    /** The library of the driver's package says no to what is no device of its own; here none is opened at all. */
    @Test
    void theCallIsFoundByName() {
        SymbolLookup library;
        try {
            library = SymbolLookup.libraryLookup("libmlx5.so.1", Arena.global());
        } catch (IllegalArgumentException e) {
            assumeTrue(false, "apt-get install ibverbs-providers: " + e.getMessage());
            throw e;
        }
        Mlx5Query query = new Mlx5Query(library);
        NativeObject closed = new NativeObject() {
            @Override
            public <R> R withNative(java.util.function.Function<MemorySegment, R> use) {
                throw new IllegalStateException("closed");
            }
        };
        assertThatThrownBy(() -> query.hasRealTimeStamps(closed)).hasMessage("closed");
    }
}
