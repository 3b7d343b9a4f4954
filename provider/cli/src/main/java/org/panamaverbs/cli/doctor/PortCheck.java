package org.panamaverbs.cli.doctor;

import java.util.List;
import org.panamaverbs.cli.doctor.RdmaDevice.Port;

/** Whether ports are active. Without one that is, nothing goes out; a second one that is not may be meant to be so. */
final class PortCheck implements Check {
    private static final String NAME = "ports";

    @Override
    public void look(MachineTree machine, Findings findings) {
        List<RdmaDevice> devices = RdmaDevice.all(machine);
        boolean oneActive =
                devices.stream().flatMap(device -> device.ports().stream()).anyMatch(Port::active);
        for (RdmaDevice device : devices) {
            for (Port port : device.ports()) {
                if (!port.active()) {
                    inactive(machine, device, port, oneActive ? Severity.WARNING : Severity.ERROR, findings);
                } else if (port.infiniband()
                        && machine.number(port.directory() + "/sm_lid").orElse(1) == 0) {
                    findings.warning(
                            NAME,
                            device.text(port) + " knows no subnet manager (SM LID 0)",
                            "check that one runs on this subnet: on a switch, or opensm on one machine",
                            "systemctl enable --now opensm");
                } else {
                    findings.ok(NAME, text(machine, device, port));
                }
            }
        }
    }

    private static String text(MachineTree machine, RdmaDevice device, Port port) {
        String rate = machine.text(port.directory() + "/rate");
        return device.text(port) + " is active"
                + (rate.isEmpty() ? "" : ", " + rate)
                + (port.interfaceName().isEmpty() ? "" : ", interface " + port.interfaceName());
    }

    private static void inactive(
            MachineTree machine, RdmaDevice device, Port port, Severity severity, Findings findings) {
        String physical = machine.text(port.directory() + "/phys_state");
        String text = device.text(port) + " is not active: state " + port.state()
                + (physical.isEmpty() ? "" : ", physical state " + physical);
        if (!port.infiniband()) {
            String network = RdmaDevice.interfaceOf(port);
            String remedy = "bring its network interface up; if it has no carrier, check cable and switch";
            findings.add(severity, NAME, text, remedy, "ip link set " + network + " up");
        } else if (port.state().equals("INIT") || port.state().equals("ARMED")) {
            String remedy =
                    "start a subnet manager (the link is up, but none has configured the port), or check why it ignores"
                            + " this port";
            findings.add(severity, NAME, text, remedy, "systemctl enable --now opensm");
        } else {
            findings.add(severity, NAME, text, "plug the cable in, and check that the other end is on", "");
        }
    }
}
