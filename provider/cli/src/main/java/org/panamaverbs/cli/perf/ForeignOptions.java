package org.panamaverbs.cli.perf;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * perftest's options that are not options here: those that ask for what is so anyway, and why the others are refused.
 */
final class ForeignOptions {
    private static final Set<String> TRUE_ANYWAY = Set.of(
            "--CPU-freq",
            "--com_rdma_cm",
            "--comm_rdma_cm",
            "--disable_pcie_relaxed",
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

    private static final Map<String, String> REFUSED = refused();

    private static Map<String, String> refused() {
        Map<String, String> all = new HashMap<>();
        refuse(
                all,
                "the connection manager takes the route of the address; --by-hand has -x, --flow_label, --hop_limit",
                "-L --hop_limit --flow_label --dlid --force-link --pkey_index");
        refuse(
                all,
                "the connection manager takes the port of the address; --by-hand has -i, and a run has one port",
                "-i --ib-port -O --dualport --report-per-port");
        refuse(
                all,
                "the connection manager takes the service level of the route; -T sets the type of service",
                "-S --sl");
        refuse(all, "-T sets the type of service", "--tclass");
        refuse(all, "the connection manager sets it; --by-hand has it", "-u --qp-timeout");
        refuse(all, "connections retry as often as they can, 7 times; --by-hand has it", "--retry_count");
        refuse(all, "the MTU is that of the network interface; of iwarp --option fpdu.max=N", "-m --mtu");
        refuse(
                all,
                "only reliable connections are measured, and multicast has datagrams",
                "-g --mcg -M --MGID --connectionless");
        refuse(
                all,
                "DC and its streams are not measured; -c has RC, with --by-hand UC and UD",
                "--log_dci_streams --log_active_dci_streams");
        refuse(
                all,
                "encryption and signatures by adapters are not measured",
                "--aes_xts --encrypt_on_tx --sig_before --sig_offload --aes_block_size --data_enc_keys_number --kek_path"
                        + " --credentials_path --data_enc_key_app_path");
        refuse(
                all,
                "memory of accelerators and devices is not measured",
                "--use_cuda --use_cuda_bus_id --use_cuda_dmabuf --cuda_mem_type --gpu_touch --use_hl --use_mlu"
                        + " --use_mlu_dmabuf --use_musa --use_neuron --use_neuron_dmabuf --use_opencl --opencl_platform_id"
                        + " --use_rocm --use_rocm_dmabuf --use_ib_dm_dmabuf");
        refuse(
                all,
                "raw Ethernet is no RDMA",
                "-B --source_mac -E --dest_mac -G --use_rss -J --dest_ip -j -K --dest_port -k --source_port -Y --ethertype"
                        + " -v --mac_fwd --flows --flows_burst --promiscuous --raw_ipv6 --raw_mcast --reply_every --sniffer"
                        + " --tcp --vlan_en --vlan_pcp");
        refuse(all, "the side without HOST is the server, as of the tests of RDMA", "-Z --server -P --client");
        refuse(
                all,
                "there is no rate limit; a limit of the network interface (tc, the switch) holds for all of it",
                "--burst_size --typical_pkt_size --rate_limit --rate_limit_type --rate_units");
        refuse(
                all,
                "buffers are registered memory in small pages; of huge ones see docs/guide/latency.md",
                "--mmap --mmap-offset --odp --use_hugepages --use-null-mr");
        refuse(
                all,
                "the octets are chosen so that they can be checked, in every run",
                "--payload_file_path --data_validation");
        refuse(all, "hints to the processor's cache are not given (TPH)", "--tph_mem --cpu_id --ph");
        refuse(all, "data are placed in the order of the transport", "--use_ooo");
        refuse(all, "start it with numactl or taskset", "--numa_node --pin_cores");
        refuse(all, "see `top -H` or `perf stat` meanwhile", "--cpu_util");
        refuse(all, "a poll takes up to 64 completions", "--cqe_poll");
        refuse(all, "receives are not inlined; -I is for sends", "--inline_recv");
        refuse(all, "receives are posted in lists of up to 64; -l is for sends", "--recv_post_list");
        refuse(all, "each queue pair has receives of its own, -r of them", "--use-srq");
        refuse(all, "one message follows the other at once; -D bounds the time", "--latency_gap");
        refuse(all, "take what you need from the JSON of --json or --out_json", "--output");
        refuse(all, "latencies are counted in a histogram: -H prints it", "-U --report-unsorted");
        refuse(all, "the clock of Java has nanoseconds, no cycles", "-C --report-cycles");
        refuse(all, "see `rdma statistic`, sysfs, or `verbs top PID` meanwhile", "-W --report-counters");
        refuse(
                all,
                "the sum of both directions is reported; two runs without -b at once, from either side, show each",
                "--report-both");
        refuse(all, "start the server where the client was, and the reverse", "--reversed");
        refuse(all, "-D takes any number of seconds, and `verbs top PID` shows each meanwhile", "--run_infinitely");
        refuse(all, "--warm-up says what is not measured", "-f --margin");
        refuse(
                all,
                "the tests write_imm_lat and write_imm_bw have immediate data, on all transports",
                "--write_with_imm --send_with_imm");
        refuse(all, "events come to the completion queue's only vector", "-X --vector");
        refuse(all, "what was made is closed at once when the test is over", "--wait_destroy");
        return Map.copyOf(all);
    }

    private static void refuse(Map<String, String> all, String why, String names) {
        for (String name : names.split(" ", -1)) {
            all.put(name, why);
        }
    }

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
