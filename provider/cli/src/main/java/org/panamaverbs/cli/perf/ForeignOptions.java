package org.panamaverbs.cli.perf;

import static java.util.Map.entry;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * perftest's options that are not options here: those that ask for what is so anyway, and why the others are refused.
 */
final class ForeignOptions {
    private static final String GPU = "memory of accelerators is not measured";
    private static final String RAW_ETHERNET = "raw Ethernet is no RDMA";
    private static final String ROUTE = "the connection manager takes the route of the address";
    private static final String ONE_PORT = "the connection manager takes the port of the address";
    private static final String MULTICAST = "only reliable connections are measured, and multicast has datagrams";

    private static final Set<String> TRUE_ANYWAY = Set.of(
            "--CPU-freq",
            "--comm_rdma_cm",
            "--dont_xchg_versions",
            "--ipv6",
            "--ipv6-addr",
            "--mr_per_qp",
            "--perform_warm_up",
            "--rdma_cm",
            "--use_old_post_send",
            "-F",
            "-R",
            "-z");

    private static final Map<String, String> REFUSED = Map.ofEntries(
            entry("--bind_source_ip", ROUTE),
            entry("--burst_size", "there is no rate limit"),
            entry("--connectionless", MULTICAST),
            entry("--cpu_util", "ask top or perf stat"),
            entry("--cqe_poll", "a poll takes up to 64 completions"),
            entry("--data_validation", "data are checked in every run"),
            entry("--dlid", ROUTE),
            entry("--dualport", ONE_PORT),
            entry("--flow_label", ROUTE),
            entry("--flows", RAW_ETHERNET),
            entry("--force-link", ROUTE),
            entry("--hop_limit", ROUTE),
            entry("--ib-port", ONE_PORT),
            entry("--latency_gap", "one message follows the other at once"),
            entry("--limit_bw", "compare with the JSON of --out_json"),
            entry("--limit_msgrate", "compare with the JSON of --out_json"),
            entry("--margin", "--warm-up says what is not measured"),
            entry("--mcg", MULTICAST),
            entry("--MGID", MULTICAST),
            entry("--mmap", "buffers are the provider's"),
            entry("--mmap-offset", "buffers are the provider's"),
            entry("--mtu", "the MTU is that of the network interface; of iwarp --option fpdu.max=N"),
            entry("--numa_node", "start it with numactl"),
            entry("--odp", "memory is registered"),
            entry("--output", "take it from the JSON of --out_json"),
            entry("--payload_file_path", "the octets are chosen so that they can be checked"),
            entry("--pin_cores", "start it with taskset"),
            entry("--pkey_index", ROUTE),
            entry("--qp-timeout", "the connection manager sets it"),
            entry("--rate_limit", "there is no rate limit"),
            entry("--raw_ipv6", RAW_ETHERNET),
            entry("--recv_post_list", "receives are posted one by one"),
            entry("--report-both", "the sum is reported, as without it"),
            entry("--report-counters", "ask `verbs devinfo -v`, or sysfs"),
            entry("--report-cycles", "the clock of Java has nanoseconds, no cycles"),
            entry("--report-per-port", ONE_PORT),
            entry("--report-unsorted", "latencies are counted in a histogram: -H prints it"),
            entry("--retry_count", "connections retry as often as they can, 7"),
            entry("--reversed", "exchange server and client"),
            entry("--run_infinitely", "-D takes any number of seconds"),
            entry("--send_with_imm", "write_imm is what has immediate data on all transports"),
            entry("--sl", "the connection manager takes the service level of the route; -T sets the type of service"),
            entry("--tclass", "-T sets the type of service"),
            entry("--use-srq", "each queue pair has receives of its own"),
            entry("--use_cuda", GPU),
            entry("--use_hl", GPU),
            entry("--use_hugepages", "buffers are the provider's"),
            entry("--use_mlu", GPU),
            entry("--use_musa", GPU),
            entry("--use_neuron", GPU),
            entry("--use_opencl", GPU),
            entry("--use_rocm", GPU),
            entry("--use-null-mr", "the data are checked"),
            entry("--vector", "events come to the completion queue's only vector"),
            entry("--write_with_imm", "the tests write_imm_lat and write_imm_bw have immediate data"),
            entry("-C", "the clock of Java has nanoseconds, no cycles"),
            entry("-L", ROUTE),
            entry("-M", MULTICAST),
            entry("-O", ONE_PORT),
            entry("-S", "the connection manager takes the service level of the route; -T sets the type of service"),
            entry("-U", "latencies are counted in a histogram: -H prints it"),
            entry("-W", "ask `verbs devinfo -v`, or sysfs"),
            entry("-X", "events come to the completion queue's only vector"),
            entry("-f", "--warm-up says what is not measured"),
            entry("-g", MULTICAST),
            entry("-i", ONE_PORT),
            entry("-m", "the MTU is that of the network interface; of iwarp --option fpdu.max=N"),
            entry("-u", "the connection manager sets it"),
            entry("-w", "compare with the JSON of --out_json"),
            entry("-y", "compare with the JSON of --out_json"));

    private ForeignOptions() {}

    /** Returns what is wrong with {@code arguments}, which nothing else has taken; empty if nothing is. */
    static Optional<String> complaint(List<String> arguments) {
        return arguments.stream()
                .filter(argument -> !TRUE_ANYWAY.contains(argument))
                .findFirst()
                .map(ForeignOptions::reason);
    }

    private static String reason(String argument) {
        if (!argument.startsWith("-")) {
            return "Unmatched argument: '" + argument + "'";
        }
        String name = nameIn(argument);
        String why = REFUSED.get(name);
        return why == null
                ? "Unknown option: '" + argument + "'"
                : "Option " + name + " of perftest is not one of verbs perf: " + why;
    }

    /** Returns the option's name of {@code --name=value} or {@code -nvalue}. */
    private static String nameIn(String argument) {
        if (argument.startsWith("--")) {
            int equals = argument.indexOf('=');
            return equals < 0 ? argument : argument.substring(0, equals);
        }
        return argument.substring(0, Math.min(2, argument.length()));
    }
}
