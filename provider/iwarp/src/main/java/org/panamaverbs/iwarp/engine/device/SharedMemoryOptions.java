package org.panamaverbs.iwarp.engine.device;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.device.DeviceAttributes.Entry;
import org.panamaverbs.iwarp.net.unix.ProcessMemory;
import org.panamaverbs.iwarp.net.unix.SharedDirectory;
import org.panamaverbs.iwarp.net.unix.SharedMemory;

/**
 * What is wanted of memory shared with peers on this host.
 *
 * @param mode whether it is wanted
 * @param ringBytes bytes of this side's ring
 * @param most how many streams of the context may share memory at once; others stay on TCP
 * @param anyUser whether peers of other users are taken
 * @param directory where peers in other network namespaces are met, null if they are not
 * @param direct whether each side's processor reaches into the other's memory, where that can be
 * @param bySystemCalls whether sockets are reached by system calls, which it needs
 */
public record SharedMemoryOptions(
        Mode mode,
        int ringBytes,
        int most,
        boolean anyUser,
        @Nullable Path directory,
        Direct direct,
        boolean bySystemCalls) {
    private static final Path ROOT = Path.of("/");
    // Why it is NIO where nobody asked for that, the connection and the device say beside it.
    private static final String BY_NIO = "it needs sockets=libc";

    /** Whether it is wanted. */
    public enum Mode {
        /** Where it can be had; else TCP. */
        AUTO,
        /** Never. */
        OFF,
        /** A connection without it fails. */
        REQUIRE
    }

    /** Who is let into memory, and reaches that of who does the same. */
    public enum Direct {
        /** Peers that the kernel lets there anyway, as they have to show. */
        AUTO,
        /** All peers of this user. */
        ON,
        /** Nobody. */
        OFF
    }

    /** Returns the same with another mode. */
    public SharedMemoryOptions with(Mode other) {
        return new SharedMemoryOptions(other, ringBytes, most, anyUser, directory, direct, bySystemCalls);
    }

    /** Tells whether it is wanted. */
    public boolean isWanted() {
        return mode != Mode.OFF;
    }

    /** Tells whether a connection without it fails. */
    public boolean isRequired() {
        return mode == Mode.REQUIRE;
    }

    /** Returns why it cannot be had here now, empty if it can. */
    public String obstacle() {
        return bySystemCalls ? SharedMemory.obstacle().orElse("") : BY_NIO;
    }

    /** Tells whether some peers are to be let into memory. */
    public boolean isDirectWanted() {
        return isWanted() && direct != Direct.OFF;
    }

    /** Returns why nobody is let into memory here now, empty if somebody may be. */
    public String obstacleToDirect() {
        if (!isDirectWanted()) {
            return isWanted() ? "shm.direct is off" : "shm is off";
        }
        String obstacle = obstacle();
        return obstacle.isEmpty() && direct == Direct.AUTO ? ProcessMemory.closedTo(ROOT) : obstacle;
    }

    /**
     * Returns what there is as attributes of the device: {@code shm}, {@code available} or {@code unavailable}, with
     * what is missing as {@code shm_reason}, and the option as {@code shm_option}; the option {@code shm_direct}, with
     * what keeps peers out as {@code shm_direct_reason} unless that is the option itself; {@code shm_dir}, if there is
     * one, and why it cannot be used as {@code shm_dir_reason}.
     */
    public List<Entry> attributes() {
        String obstacle = obstacle();
        List<Entry> all = new ArrayList<>();
        all.add(entry("shm", obstacle.isEmpty() ? "available" : "unavailable"));
        if (!obstacle.isEmpty()) {
            all.add(entry("shm_reason", obstacle));
        }
        all.add(entry("shm_option", mode.name().toLowerCase(Locale.ROOT)));
        all.add(entry("shm_direct", direct.name().toLowerCase(Locale.ROOT)));
        String closed = isDirectWanted() && obstacle.isEmpty() ? obstacleToDirect() : "";
        if (!closed.isEmpty()) {
            all.add(entry("shm_direct_reason", closed));
        }
        Path shared = directory;
        if (shared != null) {
            all.add(entry("shm_dir", shared.toString()));
            String why = obstacle.isEmpty() ? obstacle(shared) : obstacle;
            if (!why.isEmpty()) {
                all.add(entry("shm_dir_reason", why));
            }
        }
        return all;
    }

    private static String obstacle(Path directory) {
        try {
            SharedDirectory.open(directory).close();
            return "";
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static Entry entry(String name, String value) {
        return new Entry("", name, value, List.of());
    }
}
