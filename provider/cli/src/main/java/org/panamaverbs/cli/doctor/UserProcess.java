package org.panamaverbs.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Who asks: what {@code /proc/self} says of the process.
 *
 * @param uid its effective user
 * @param groups its groups, the effective one first
 * @param capabilities its effective capabilities, by bit
 * @param processors the processors that it may run on, as the kernel lists them: {@code 0-3,8}; empty if unknown
 * @param ownsTheMachine whether its capabilities count beyond its user namespace, as those of a rootless container do
 *     not
 * @param memlockBytes how much memory it may lock; empty if as much as it likes, or nobody says
 */
record UserProcess(
        int uid,
        List<Integer> groups,
        long capabilities,
        boolean ownsTheMachine,
        String processors,
        OptionalLong memlockBytes) {
    // linux/capability.h
    private static final int CAP_DAC_OVERRIDE = 1;
    private static final int CAP_IPC_LOCK = 14;
    /** The bits of a file's mode that let somebody read and write. */
    private static final int READ_WRITE = 6;

    private static final int HEXADECIMAL = 16;
    /** The second of the ids in a line of {@code /proc/self/status} is the effective one. */
    private static final int EFFECTIVE = 1;

    /** What {@code uid_map} holds in the initial user namespace (man page user_namespaces(7)); empty if nobody says. */
    private static final Pattern ALL_USERS = Pattern.compile("|0\\s+0\\s+4294967295");

    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final Pattern SOFT_LIMIT = Pattern.compile("(?m)^Max locked memory\\s+(\\d+)");

    static UserProcess of(MachineTree machine) {
        String status = machine.text("proc/self/status");
        List<Integer> groups = Stream.concat(
                        Stream.of(effective(line(status, "Gid"))),
                        words(line(status, "Groups")).map(Integer::valueOf))
                .toList();
        Matcher limit = SOFT_LIMIT.matcher(machine.text("proc/self/limits"));
        return new UserProcess(
                effective(line(status, "Uid")),
                groups,
                capabilities(line(status, "CapEff")),
                ALL_USERS.matcher(machine.text("proc/self/uid_map")).matches(),
                line(status, "Cpus_allowed_list"),
                limit.find() ? OptionalLong.of(Long.parseLong(limit.group(1))) : OptionalLong.empty());
    }

    /**
     * Tells whether the process may read and write a file of {@code machine} that is there: as the system says of the
     * machine that this process runs on, by owner, groups and mode in a copy.
     */
    boolean mayUse(MachineTree machine, String path) {
        Path file = machine.root().resolve(path);
        if (machine.live()) {
            return Files.isReadable(file) && Files.isWritable(file);
        }
        try {
            Map<String, Object> attributes = Files.readAttributes(file, "unix:mode,uid,gid");
            int shift = 0;
            if (attribute(attributes, "uid") == uid) {
                shift = 6;
            } else if (groups.contains(attribute(attributes, "gid"))) {
                shift = 3;
            }
            boolean allowed = (attribute(attributes, "mode") >>> shift & READ_WRITE) == READ_WRITE;
            return allowed || has(CAP_DAC_OVERRIDE);
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    private static int attribute(Map<String, Object> attributes, String name) {
        return attributes.get(name) instanceof Integer value ? value : -1;
    }

    /** Tells whether the limit of locked memory does not bind it. */
    boolean locksAnything() {
        return memlockBytes.isEmpty() || (ownsTheMachine && has(CAP_IPC_LOCK));
    }

    private boolean has(int capability) {
        return (capabilities >>> capability & 1) != 0;
    }

    private static String line(String status, String name) {
        Optional<String> found =
                status.lines().filter(line -> line.startsWith(name + ":")).findFirst();
        return found.map(line -> line.substring(name.length() + 1).strip()).orElse("");
    }

    private static Stream<String> words(String line) {
        return BLANKS.splitAsStream(line).filter(word -> !word.isEmpty());
    }

    private static int effective(String ids) {
        return words(ids).skip(EFFECTIVE).findFirst().map(Integer::valueOf).orElse(-1);
    }

    private static long capabilities(String mask) {
        return mask.isEmpty() ? 0 : Long.parseUnsignedLong(mask, HEXADECIMAL);
    }
}
