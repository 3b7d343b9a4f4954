package org.panamaverbs.cli.doctor;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Whether rdma-core's libraries are there, of one release, and with drivers. */
final class LibraryCheck implements Check {
    private static final String NAME = "libraries";
    private static final List<String> USUAL =
            List.of("usr/lib", "usr/lib64", "usr/local/lib", "usr/local/lib64", "lib", "lib64");
    private static final Map<String, String> PACKAGES = Map.of("libibverbs", "libibverbs1", "librdmacm", "librdmacm1");
    /** A library's version has the package's behind its own: {@code libibverbs.so.1.14.44.0} is of rdma-core 44.0. */
    private static final Pattern VERSION = Pattern.compile("(libibverbs|librdmacm)\\.so\\.1\\.\\d+\\.([\\d.]+)");

    @Override
    public void look(MachineTree machine, Findings findings) {
        Map<String, String> versions = versions(machine);
        List<String> missing = Stream.of("libibverbs", "librdmacm")
                .filter(library -> !versions.containsKey(library))
                .toList();
        if (!missing.isEmpty()) {
            findings.error(
                    NAME,
                    String.join(".so.1 and ", missing) + ".so.1 not found where the system searches for libraries",
                    "install those of rdma-core; on RHEL and Fedora: dnf install libibverbs librdmacm",
                    "apt install "
                            + String.join(
                                    " ", missing.stream().map(PACKAGES::get).toList()));
            return;
        }
        Set<String> releases = new TreeSet<>(versions.values());
        if (releases.size() > 1) {
            findings.warning(
                    NAME,
                    "libibverbs is of rdma-core " + versions.get("libibverbs") + ", librdmacm of "
                            + versions.get("librdmacm"),
                    "install both of one release; look for a second copy in /usr/local/lib and the vendor's"
                            + " directories",
                    "ldconfig -p | grep -E 'libibverbs|librdmacm'");
        } else {
            findings.ok(
                    NAME,
                    "libibverbs and librdmacm of rdma-core "
                            + releases.iterator().next());
        }
        if (machine.names("etc/libibverbs.d").stream().noneMatch(name -> name.endsWith(".driver"))) {
            findings.error(
                    NAME,
                    "libibverbs has no drivers in /etc/libibverbs.d: it finds none of the kernel's devices",
                    "install them; on RHEL and Fedora they are in libibverbs",
                    "apt install ibverbs-providers");
        }
    }

    /** Returns the version of each library that is there, that of the first directory that has it. */
    static Map<String, String> versions(MachineTree machine) {
        Map<String, String> versions = new LinkedHashMap<>();
        for (String directory : directories(machine)) {
            for (String file : machine.names(directory)) {
                Matcher version = VERSION.matcher(file);
                if (version.matches()) {
                    versions.putIfAbsent(version.group(1), version.group(2));
                }
            }
        }
        return versions;
    }

    /** Returns the directories that {@code /etc/ld.so.conf.d} names, and those that every system has. */
    private static List<String> directories(MachineTree machine) {
        Stream<String> configured = machine.names("etc/ld.so.conf.d").stream()
                .flatMap(file -> machine.text("etc/ld.so.conf.d/" + file).lines())
                .map(String::strip)
                .filter(line -> line.startsWith("/"))
                .map(line -> line.substring(1));
        return Stream.concat(configured, USUAL.stream()).distinct().toList();
    }
}
