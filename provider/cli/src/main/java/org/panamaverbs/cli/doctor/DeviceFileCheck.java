package org.panamaverbs.cli.doctor;

import java.util.ArrayList;
import java.util.List;

/** Whether this process may open the files of the devices and of the connection manager. */
final class DeviceFileCheck implements Check {
    private static final String NAME = "device files";
    private static final String DIRECTORY = "dev/infiniband/";

    @Override
    public void look(MachineTree machine, Findings findings) {
        List<String> wanted = new ArrayList<>();
        machine.names("sys/class/infiniband_verbs").stream()
                .filter(name -> name.startsWith("uverbs"))
                .forEach(wanted::add);
        if (machine.has("sys/class/misc/rdma_cm")) {
            wanted.add("rdma_cm");
        }
        if (wanted.isEmpty()) {
            return;
        }
        UserProcess process = UserProcess.of(machine);
        List<String> absent =
                wanted.stream().filter(name -> !machine.has(DIRECTORY + name)).toList();
        List<String> refused = wanted.stream()
                .filter(name -> machine.has(DIRECTORY + name) && !process.mayUse(machine, DIRECTORY + name))
                .toList();
        if (!absent.isEmpty()) {
            findings.error(
                    NAME,
                    files(absent) + (absent.size() == 1 ? " is" : " are")
                            + " missing, although the kernel has the device",
                    "have udev create them; in a container, use --device",
                    "udevadm trigger --subsystem-match=infiniband_verbs --subsystem-match=misc");
        }
        if (!refused.isEmpty()) {
            findings.error(
                    NAME,
                    "user " + process.uid() + " has no permission to read and write " + files(refused),
                    "grant it until the next boot; permanently, use the udev rules of rdma-core or a group (usermod"
                            + " -aG)",
                    "chmod a+rw " + files(refused));
        }
        if (absent.isEmpty() && refused.isEmpty()) {
            findings.ok(NAME, "user " + process.uid() + " has permission to use " + files(wanted));
        }
    }

    private static String files(List<String> names) {
        return "/" + DIRECTORY + String.join(" /" + DIRECTORY, names);
    }
}
