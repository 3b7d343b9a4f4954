package org.panamaverbs.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.panamaverbs.cli.doctor.RdmaDevice.Port;

/**
 * What files tell of flow control and congestion on RoCE. The files of ECN and of the traffic class are those of the
 * vendor's drivers (MLNX_OFED); those of the kernel tell by netlink alone, so that the finding names who asks them.
 */
final class CongestionCheck implements Check {
    private static final String NAME = "PFC, ECN";
    private static final String LOSS = "losses";

    /** Counters of mlx5 and rxe that rise when packets were lost or came too late. */
    private static final List<String> LOST = List.of(
            "out_of_sequence",
            "packet_seq_err",
            "local_ack_timeout_err",
            "out_of_seq_request",
            "rcvd_seq_err",
            "completer_retry_err",
            "retry_exceeded_err");

    /** Counters of mlx5 and rxe that rise when a Send came before its receive was posted. */
    private static final List<String> NOT_READY =
            List.of("rnr_nak_retry_err", "rcvd_rnr_err", "retry_rnr_exceeded_err");

    @Override
    public void look(MachineTree machine, Findings findings) {
        for (RdmaDevice device : RdmaDevice.all(machine)) {
            for (Port port : device.ports()) {
                if (!port.infiniband() && !device.iwarp() && !device.software() && port.active()) {
                    settings(machine, device, port, findings);
                }
                counters(machine, device, port, findings);
            }
        }
    }

    private static void settings(MachineTree machine, RdmaDevice device, Port port, Findings findings) {
        List<String> told = new ArrayList<>();
        String ecn = "sys/class/net/" + port.interfaceName() + "/ecn/roce_np/enable";
        List<Integer> priorities = machine.numbers(ecn);
        if (!port.interfaceName().isEmpty() && !priorities.isEmpty()) {
            told.add("ECN on for priorities "
                    + priorities.stream()
                            .filter(priority ->
                                    machine.text(ecn + "/" + priority).equals("1"))
                            .toList());
        }
        String trafficClass = machine.text(device.directory() + "/tc/" + port.number() + "/traffic_class");
        if (!trafficClass.isEmpty()) {
            told.add("traffic class " + trafficClass);
        }
        String tos = machine.text(
                "sys/kernel/config/rdma_cm/" + device.name() + "/ports/" + port.number() + "/default_roce_tos");
        if (!tos.isEmpty()) {
            told.add("default TOS of connections " + tos);
        }
        String text = told.isEmpty() ? "files do not show the flow control" : String.join(", ", told);
        findings.note(
                NAME,
                device.text(port) + ": " + text,
                "compare PFC, trust and DSCP with the switch's: RoCE without PFC or ECN loses packets under load",
                "dcb pfc show dev " + RdmaDevice.interfaceOf(port) + "; dcb app show dev "
                        + RdmaDevice.interfaceOf(port));
    }

    private static void counters(MachineTree machine, RdmaDevice device, Port port, Findings findings) {
        String command = "rdma statistic show link " + device.name() + "/" + port.number();
        String lost = raised(machine, port, LOST);
        if (!lost.isEmpty()) {
            String text = device.text(port) + " has had losses since it came up: " + lost;
            String remedy = "if they rise under load, check PFC and ECN, the MTU on the path, and the cables";
            findings.note(LOSS, text, remedy, command);
        }
        String notReady = raised(machine, port, NOT_READY);
        if (!notReady.isEmpty()) {
            String text = device.text(port) + " has received Sends without a posted receive: " + notReady;
            findings.note(LOSS, text, "post receives before the peer sends, and more of them", command);
        }
    }

    private static String raised(MachineTree machine, Port port, List<String> names) {
        List<String> raised = new ArrayList<>();
        for (String name : names) {
            OptionalLong count = machine.number(port.directory() + "/hw_counters/" + name);
            if (count.orElse(0) > 0) {
                raised.add(name + " " + count.getAsLong());
            }
        }
        return String.join(", ", raised);
    }
}
