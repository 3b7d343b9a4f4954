package org.panamaverbs.bindings;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A native library that the bindings call: whether it is there and, if not, why and what helps.
 *
 * <p>The library is opened when its presence or one of its symbols is first asked for, never before, and then stays
 * open for the life of the process. The outcome of that first time stays: a library installed later is seen by the next
 * process. Absence is a value, never an exception, and each library is on its own: librdmacm may be absent while
 * libibverbs works. Safe for use by any thread.
 */
public final class NativeLibrary {
    /** libibverbs: devices, protection domains, memory regions, queues. Overridden by {@code -Dverbs.libibverbs}. */
    public static final NativeLibrary IBVERBS = new NativeLibrary(
            "libibverbs.so.1", "verbs.libibverbs", "libibverbs1", "libibverbs", NativePlatform::verbsMismatch);

    /** librdmacm: connection management. Overridden by {@code -Dverbs.librdmacm}. */
    public static final NativeLibrary RDMACM = new NativeLibrary(
            "librdmacm.so.1", "verbs.librdmacm", "librdmacm1", "librdmacm", NativePlatform::verbsMismatch);

    /** The GNU C library: sockets, epoll, memory. Overridden by {@code -Dverbs.libc}. */
    public static final NativeLibrary LIBC =
            new NativeLibrary("libc.so.6", "verbs.libc", "libc6", "glibc", NativePlatform::libcMismatch);

    // Taken first of all: a JDK that only warns counts access as granted from its warning on.
    private static final @Nullable String MISSING_FLAG =
            NativeLibrary.class.getModule().isNativeAccessEnabled()
                    ? null
                    : NativePlatform.nativeAccessFlag(NativeLibrary.class.getModule());

    private record Opened(SymbolLookup symbols, @Nullable String absence) {
        static Opened absent(String reason) {
            return new Opened(name -> Optional.empty(), reason);
        }
    }

    private final String defaultFileName;
    private final String property;
    private final String debianPackage;
    private final String fedoraPackage;
    private final NativePlatform.Demand platform;

    private volatile @Nullable Opened opened;

    private NativeLibrary(
            String defaultFileName,
            String property,
            String debianPackage,
            String fedoraPackage,
            NativePlatform.Demand platform) {
        this.defaultFileName = defaultFileName;
        this.property = property;
        this.debianPackage = debianPackage;
        this.fedoraPackage = fedoraPackage;
        this.platform = platform;
    }

    /**
     * The name or path that is handed to the dynamic linker: the library's soname, such as {@code libibverbs.so.1},
     * unless the system property of this library says otherwise and is not blank.
     */
    public String fileName() {
        String override = System.getProperty(property, "");
        return override.isBlank() ? defaultFileName : override;
    }

    /** Whether the library is open and its functions may be called. */
    public boolean isPresent() {
        return opened().absence == null;
    }

    /**
     * Why the library cannot be used, followed by the remedy; empty when it is present. One line, for people:
     * {@code libibverbs.so.1 not found: apt install libibverbs1 (Debian, Ubuntu) / dnf install libibverbs (RHEL,
     * Fedora)}.
     */
    public Optional<String> absence() {
        return Optional.ofNullable(opened().absence);
    }

    /**
     * The symbols of the library; finds nothing where the library is absent. Obtaining the lookup does not open the
     * library, the first {@code find} does.
     */
    public SymbolLookup lookup() {
        return name -> opened().symbols.find(name);
    }

    /**
     * The flag that {@code java} lacks to grant the bindings native access, such as
     * {@code --enable-native-access=org.panamaverbs.bindings}; empty when it is granted. Without the flag the JDK
     * prints a warning when the bindings are first used, or denies native calls: then the libraries are absent and
     * {@link #absence()} says so.
     */
    public static Optional<String> missingNativeAccessFlag() {
        return Optional.ofNullable(MISSING_FLAG);
    }

    /**
     * The flag that {@code java} lacks to grant native access to the bindings and to {@code caller}, which calls
     * through them, such as {@code --enable-native-access=org.panamaverbs.bindings,org.panamaverbs.iwarp}; empty when
     * both have it. Otherwise as {@link #missingNativeAccessFlag()}.
     */
    public static Optional<String> missingNativeAccessFlag(Module caller) {
        return MISSING_FLAG == null && caller.isNativeAccessEnabled()
                ? Optional.empty()
                : Optional.of(nativeAccessFlag(caller));
    }

    /** The flag that grants native access to the bindings and to {@code caller}, whether it is granted or not. */
    public static String nativeAccessFlag(Module caller) {
        return NativePlatform.nativeAccessFlag(NativeLibrary.class.getModule(), caller);
    }

    /**
     * Why the layouts of the library do not hold for this operating system and architecture, followed by a colon and
     * what works here; empty if they do. Nothing native is touched, and nothing is opened.
     */
    public Optional<String> platformMismatch() {
        return platform.mismatch(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
    }

    /**
     * The layout of a C pointer for the generated code: it leads to memory of any size. Where native access is denied
     * it leads to nothing, so that constants and layouts work there too.
     */
    public static AddressLayout pointerLayout() {
        try {
            return ValueLayout.ADDRESS.withTargetLayout(
                    MemoryLayout.sequenceLayout(Long.MAX_VALUE, ValueLayout.JAVA_BYTE));
        } catch (IllegalCallerException e) {
            return ValueLayout.ADDRESS;
        }
    }

    /** The soname of the library. */
    @Override
    public String toString() {
        return defaultFileName;
    }

    private Opened opened() {
        Opened known = opened;
        return known != null ? known : openOnce();
    }

    private synchronized Opened openOnce() {
        Opened result = opened;
        if (result == null) {
            result = open();
            opened = result;
        }
        return result;
    }

    private Opened open() {
        Optional<String> mismatch = platformMismatch();
        if (mismatch.isPresent()) {
            return Opened.absent(defaultFileName + " is not usable here: " + mismatch.get());
        }
        Optional<String> denial = nativeAccessDenial();
        if (denial.isPresent()) {
            return Opened.absent(denial.get());
        }
        String fileName = fileName();
        try {
            // Global: device drivers leave threads and exit handlers behind, so these libraries are never unloaded.
            return new Opened(SymbolLookup.libraryLookup(fileName, Arena.global()), null);
        } catch (IllegalArgumentException e) {
            return Opened.absent(explain(fileName, new DynamicLinker().openError(fileName)));
        }
    }

    /** Native access that is neither granted nor denied is allowed with a warning: only an attempt tells. */
    private static Optional<String> nativeAccessDenial() {
        Module module = NativeLibrary.class.getModule();
        if (module.isNativeAccessEnabled()) {
            return Optional.empty();
        }
        try {
            MemorySegment attempt = MemorySegment.NULL.reinterpret(0);
            assert attempt.byteSize() == 0;
            return Optional.empty();
        } catch (IllegalCallerException e) {
            String who = module.isNamed() ? "module " + module.getName() : "the class path";
            return Optional.of("native access is denied to " + who + "; remedy: start java with "
                    + NativePlatform.nativeAccessFlag(module));
        }
    }

    /** The absence text for a file that the dynamic linker refused with {@code error}. */
    String explain(String fileName, String error) {
        String what = DynamicLinker.saysFileIsMissing(error, fileName)
                ? fileName + " not found"
                : fileName + " cannot be opened (" + error + ")";
        String install =
                "apt install " + debianPackage + " (Debian, Ubuntu) / dnf install " + fedoraPackage + " (RHEL, Fedora)";
        return fileName.equals(defaultFileName)
                ? what + "; remedy: " + install
                : what + "; remedy: correct or remove -D" + property + ", which names it, or " + install;
    }
}
