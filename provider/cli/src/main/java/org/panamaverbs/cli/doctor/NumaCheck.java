package org.panamaverbs.cli.doctor;

import java.util.BitSet;
import java.util.OptionalLong;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Whether this process may run beside its device: on another node each access crosses between the processors. */
final class NumaCheck implements Check {
    private static final String NAME = "NUMA";
    private static final String NODES = "sys/devices/system/node";
    private static final Pattern RANGE = Pattern.compile("(\\d{1,6})(?:-(\\d{1,6}))?");

    @Override
    public void look(MachineTree machine, Findings findings) {
        long nodes = machine.names(NODES).stream()
                .filter(name -> name.matches("node\\d+"))
                .count();
        if (nodes <= 1) {
            findings.ok(NAME, "all memory is equally close");
            return;
        }
        String processors = UserProcess.of(machine).processors();
        for (RdmaDevice device : RdmaDevice.all(machine)) {
            OptionalLong node = machine.number(device.directory() + "/device/numa_node");
            if (node.isEmpty()) {
                continue;
            }
            if (node.getAsLong() < 0) {
                findings.note(
                        NAME,
                        "the kernel does not know which of " + nodes + " nodes " + device.name() + " is on",
                        "see the machine's manual for the node of its slot, or try each with numactl",
                        "");
                continue;
            }
            long number = node.getAsLong();
            String near = machine.text(NODES + "/node" + number + "/cpulist");
            if (numbers(near).intersects(numbers(processors))) {
                findings.ok(NAME, device.name() + " is on node " + number + " of " + nodes + ", processors " + near);
            } else {
                findings.warning(
                        NAME,
                        device.name() + " is on node " + number + " (processors " + near
                                + "), this process may only run on " + processors,
                        "run on the device's node, with memory of that node",
                        "numactl --cpunodebind=" + number + " --membind=" + number + " java ...");
            }
        }
    }

    /** Returns the numbers of a list such as {@code 0-3,8}. */
    private static BitSet numbers(String list) {
        BitSet numbers = new BitSet();
        for (MatchResult range : RANGE.matcher(list).results().toList()) {
            int first = Integer.parseInt(range.group(1));
            int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
            numbers.set(Math.min(first, last), Math.max(first, last) + 1);
        }
        return numbers;
    }
}
