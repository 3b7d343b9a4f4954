package org.panamaverbs.cli.doctor;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Memory: how much may be locked, huge pages, and whether processes of the host can share it. */
final class MemoryCheck implements Check {
    private static final String MEMLOCK = "memlock";
    private static final String HUGE_PAGES = "huge pages";
    private static final String SHARED = "shared memory";
    private static final String HUGE = "sys/kernel/mm/hugepages";

    /** As the provider ibverbs has it: with less, the rings of the first queue pair may fail. */
    private static final long LEAST_MEMLOCK = 1L << 20;

    private static final long COMFORTABLE_MEMLOCK = 1L << 30;
    private static final Pattern RELEASE = Pattern.compile("(\\d{1,4})\\.(\\d{1,4}).*", Pattern.DOTALL);
    private static final String DIRECT = "direct access";
    /** Sealed memory that its owner alone writes: F_SEAL_FUTURE_WRITE, Linux 5.1. */
    private static final int SHARED_MAJOR = 5;

    private static final int SHARED_MINOR = 1;
    /** Value of vm.memfd_noexec where files in memory must say that they are not executed. */
    private static final long REFUSES = 2;

    @Override
    public void look(MachineTree machine, Findings findings) {
        memlock(UserProcess.of(machine), findings);
        hugePages(machine, findings);
        shared(machine, findings);
    }

    private static void memlock(UserProcess process, Findings findings) {
        if (process.locksAnything()) {
            findings.ok(MEMLOCK, "this process may lock any amount of memory");
            return;
        }
        long bytes = process.memlockBytes().getAsLong();
        String text = "this process may lock " + (bytes >>> 10) + " KiB";
        String remedy = "raise the limit; permanently: memlock in /etc/security/limits.conf, LimitMEMLOCK=infinity"
                + " (systemd), --ulimit memlock=-1 (containers)";
        if (bytes < LEAST_MEMLOCK) {
            String least = ", less than the " + (LEAST_MEMLOCK >>> 10) + " KiB that registration needs";
            findings.error(MEMLOCK, text + least, remedy, "ulimit -l unlimited");
        } else if (bytes < COMFORTABLE_MEMLOCK) {
            String scarce = ": registration fails with ENOMEM beyond that; queues of adapters count, too";
            findings.warning(MEMLOCK, text + scarce, remedy, "ulimit -l unlimited");
        } else {
            findings.ok(MEMLOCK, text);
        }
    }

    private static void hugePages(MachineTree machine, Findings findings) {
        StringBuilder text = new StringBuilder();
        long free = 0;
        for (String size : machine.names(HUGE)) {
            long all = machine.number(HUGE + "/" + size + "/nr_hugepages").orElse(0);
            if (all > 0) {
                long unused =
                        machine.number(HUGE + "/" + size + "/free_hugepages").orElse(0);
                free += unused;
                text.append(text.isEmpty() ? "" : ", ");
                text.append(size.replace("hugepages-", "") + ": " + unused + " of " + all);
                text.append(" free");
            }
        }
        if (free > 0) {
            findings.ok(HUGE_PAGES, text.toString());
            return;
        }
        findings.note(
                HUGE_PAGES,
                text.isEmpty() ? "none are reserved: large buffers use small pages" : text.toString(),
                "reserve some (512 of 2 MiB are 1 GiB); for each boot: vm.nr_hugepages in /etc/sysctl.d",
                "sysctl -w vm.nr_hugepages=512");
    }

    private static void shared(MachineTree machine, Findings findings) {
        String release = machine.text("proc/sys/kernel/osrelease");
        Matcher version = RELEASE.matcher(release);
        if (!version.matches()) {
            return;
        }
        int major = Integer.parseInt(version.group(1));
        int minor = Integer.parseInt(version.group(2));
        if (major < SHARED_MAJOR || (major == SHARED_MAJOR && minor < SHARED_MINOR)) {
            findings.note(
                    SHARED,
                    "kernel " + release + " cannot seal shared memory, which needs 5.1: peers on this host use TCP",
                    "a newer kernel",
                    "");
        } else if (machine.number("proc/sys/vm/memfd_noexec").orElse(0) == REFUSES) {
            findings.warning(
                    SHARED,
                    "vm.memfd_noexec is 2: memory that processes share by a file descriptor is refused",
                    "set it to 1, or allocate memory that is not shared",
                    "sysctl -w vm.memfd_noexec=1");
        } else {
            findings.ok(SHARED, "kernel " + release + " seals shared memory: the option shm of iwarp can be used");
            direct(machine, findings);
        }
    }

    private static void direct(MachineTree machine, Findings findings) {
        long scope = machine.number("proc/sys/kernel/yama/ptrace_scope").orElse(0);
        if (scope != 0) {
            findings.note(
                    DIRECT,
                    "kernel.yama.ptrace_scope is " + scope + ": the option shm.direct=auto of iwarp lets no process in",
                    "set shm.direct=on in both processes if direct access is wanted and all processes of the user may"
                            + " access their memory",
                    "");
        }
    }
}
