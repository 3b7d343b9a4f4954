package org.panamaverbs.bindings;

/**
 * The table of what differs between the architectures of Linux in what is bound here: all else is the same. The
 * bindings take it from {@link #CURRENT} when a class is initialised, and follow from it: what lies behind a mutex
 * moves with the size of the mutex.
 *
 * <p>An architecture is {@linkplain #isKnown known} if a C compiler for it agrees with every size, offset and constant
 * of the bindings, which {@code LayoutComparisonTest} asks. On another one nothing is called: a wrong offset would
 * corrupt memory instead of failing.
 */
public enum Architecture {
    /** x86-64, which the JDK calls amd64. */
    X86_64("x86-64", 40, true, 0x20000, 0x10000),

    /** AArch64, which others call arm64. */
    AARCH64("aarch64", 48, false, 0x8000, 0x4000),

    /** Any other, such as riscv64. Constants and layouts can be read there, and nothing follows from them. */
    UNKNOWN("unknown", 40, false, 0x20000, 0x10000);

    /** The architecture of this JVM, by its system property {@code os.arch}. */
    public static final Architecture CURRENT = of(System.getProperty("os.arch", ""));

    private final String text;
    private final int mutexBytes;
    private final boolean epollEventPacked;
    private final int openNoFollow;
    private final int openDirectory;

    Architecture(String text, int mutexBytes, boolean epollEventPacked, int openNoFollow, int openDirectory) {
        this.text = text;
        this.mutexBytes = mutexBytes;
        this.epollEventPacked = epollEventPacked;
        this.openNoFollow = openNoFollow;
        this.openDirectory = openDirectory;
    }

    /** Returns the architecture that {@code osArch}, a value of {@code os.arch}, stands for. */
    static Architecture of(String osArch) {
        return switch (osArch) {
            case "amd64", "x86_64" -> X86_64;
            case "aarch64" -> AARCH64;
            default -> UNKNOWN;
        };
    }

    /** Tells whether the bindings hold for this architecture. */
    public boolean isKnown() {
        return this != UNKNOWN;
    }

    /** Returns the bytes of {@code pthread_mutex_t}: {@code __SIZEOF_PTHREAD_MUTEX_T} of bits/pthreadtypes-arch.h. */
    public int mutexBytes() {
        return mutexBytes;
    }

    /** Tells whether {@code struct epoll_event} is packed: {@code __EPOLL_PACKED} of bits/epoll.h. */
    public boolean isEpollEventPacked() {
        return epollEventPacked;
    }

    /** Returns {@code O_NOFOLLOW} of fcntl.h. */
    int openNoFollow() {
        return openNoFollow;
    }

    /** Returns {@code O_DIRECTORY} of fcntl.h. */
    int openDirectory() {
        return openDirectory;
    }

    /** Returns the usual name, such as {@code x86-64}. */
    @Override
    public String toString() {
        return text;
    }
}
