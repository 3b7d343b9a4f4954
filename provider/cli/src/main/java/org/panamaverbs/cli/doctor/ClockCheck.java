package org.panamaverbs.cli.doctor;

import java.util.List;
import java.util.Set;

/** Whether the time is read without a system call, and whether processors run at full speed. */
final class ClockCheck implements Check {
    private static final String NAME = "clock";
    private static final String DIRECTORY = "sys/devices/system/clocksource/clocksource0";
    /** What the vDSO reads in user space. */
    private static final Set<String> FAST =
            Set.of("tsc", "kvm-clock", "arch_sys_counter", "hyperv_clocksource_tsc_page", "pvclock");

    @Override
    public void look(MachineTree machine, Findings findings) {
        String current = machine.text(DIRECTORY + "/current_clocksource");
        if (FAST.contains(current)) {
            findings.ok(NAME, "clock source " + current);
        } else if (!current.isEmpty()) {
            List<String> available =
                    List.of(machine.text(DIRECTORY + "/available_clocksource").split("\\s+"));
            boolean tsc = available.contains("tsc");
            findings.warning(
                    NAME,
                    "clock source " + current + " is read with a system call, which slows down waits and measurements",
                    tsc
                            ? "use the TSC; for each boot: clocksource=tsc on the kernel's command line"
                            : "check why the kernel distrusts the TSC (dmesg), or boot with tsc=reliable",
                    tsc ? "echo tsc > /" + DIRECTORY + "/current_clocksource" : "dmesg | grep -i tsc");
        }
        String governor = machine.text("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
        if (governor.equals("powersave") || governor.equals("conservative") || governor.equals("ondemand")) {
            findings.note(
                    NAME,
                    "processors scale with the load (governor " + governor + "), which adds to latency",
                    "run them at full speed if latency matters",
                    "cpupower frequency-set -g performance");
        }
    }
}
