package org.panamaverbs.ibverbs.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.panamaverbs.bindings.NativeLibrary;
import org.panamaverbs.ibverbs.call.MemlockLimit;
import org.panamaverbs.ibverbs.facts.Sysfs;

/**
 * What verbs need of a machine beside devices.
 *
 * @param mismatch why the bindings do not hold for the operating system or the architecture, empty if they do; nothing
 *     else counts then
 * @param absences each says why something cannot be used, empty if it can: native code by this module and libibverbs,
 *     asked in this order
 * @param missingFlag the flag that {@code java} lacks to grant native access, empty if it was granted: an attempt then
 *     has the JDK warn, or is denied
 * @param sysfs what the kernel says of devices
 * @param deviceFiles {@code /dev/infiniband}
 * @param mayUse whether the process may read and write a file
 * @param memlockBytes how much memory the process may lock; empty if as much as it likes
 */
record Machine(
        Optional<String> mismatch,
        List<Supplier<Optional<String>>> absences,
        Optional<String> missingFlag,
        Sysfs sysfs,
        Path deviceFiles,
        Predicate<Path> mayUse,
        OptionalLong memlockBytes) {
    // linux/capability.h
    private static final int CAP_IPC_LOCK = 14;
    private static final int HEXADECIMAL = 16;
    /** What {@code uid_map} holds in the initial user namespace (man page user_namespaces(7)). */
    private static final Pattern ALL_USERS = Pattern.compile("\\s*0\\s+0\\s+4294967295\\s*");

    /** Returns this machine. */
    static Machine current() {
        return new Machine(
                NativeLibrary.IBVERBS.platformMismatch(),
                List.of(NativeAccess::denial, NativeLibrary.IBVERBS::absence),
                NativeAccess.missingFlag(),
                Sysfs.system(),
                Path.of("/dev/infiniband"),
                file -> Files.isReadable(file) && Files.isWritable(file),
                mayLockAnything(Path.of("/proc/self")) ? OptionalLong.empty() : MemlockLimit.bytes());
    }

    /** Tells whether {@code process}, like {@code /proc/self}, says that the memlock limit does not count. */
    static boolean mayLockAnything(Path process) {
        try {
            return ownsTheMachine(process)
                    && Files.readAllLines(process.resolve("status")).stream()
                            .filter(line -> line.startsWith("CapEff:"))
                            .mapToLong(line -> Long.parseUnsignedLong(
                                    line.substring("CapEff:".length()).strip(), HEXADECIMAL))
                            .anyMatch(capabilities -> (capabilities >>> CAP_IPC_LOCK & 1) != 0);
        } catch (IOException | NumberFormatException e) {
            return false;
        }
    }

    /** Capabilities within a user namespace, as a rootless container's root has, do not lift limits of the machine. */
    private static boolean ownsTheMachine(Path process) throws IOException {
        Path map = process.resolve("uid_map");
        return !Files.exists(map) || ALL_USERS.matcher(Files.readString(map)).matches();
    }
}
