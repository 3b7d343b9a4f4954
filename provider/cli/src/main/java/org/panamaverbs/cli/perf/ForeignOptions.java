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
    private static final Set<String> TRUE_ANYWAY = Set.of("""
            --CPU-freq --com_rdma_cm --comm_rdma_cm --disable_pcie_relaxed --dont_xchg_versions --ipv6 --ipv6-addr \
            --mr_per_qp --perform_warm_up --rdma_cm --use_old_post_send -F -R -z\
            """.split(" ", -1));

    /** Options, and behind a colon why they are refused. */
    private static final String REFUSALS = """
            -L --hop_limit --flow_label --dlid --force-link --pkey_index: the connection manager uses the route of \
                the address; --out-of-band has -x, --flow_label, --hop_limit
            -i --ib-port -O --dualport --report-per-port: the connection manager uses the port of the address; \
                --out-of-band has -i, and a run has one port
            -S --sl: the connection manager uses the service level of the route; -T sets the type of service
            --tclass: -T sets the type of service
            -u --qp-timeout: the connection manager sets it; --out-of-band has it
            --retry_count: connections retry as often as they can, 7 times; --out-of-band has it
            -m --mtu: the MTU is that of the network interface; of iwarp --option fpdu.max=N
            -g --mcg -M --MGID --connectionless: multicast is not measured; --out-of-band with -c UD \
                measures datagrams
            --log_dci_streams --log_active_dci_streams: DC and its streams are not measured; -c has RC, with \
                --out-of-band UC and UD
            --aes_xts --encrypt_on_tx --sig_before --sig_offload --aes_block_size --data_enc_keys_number --kek_path \
                --credentials_path --data_enc_key_app_path: encryption and signatures by adapters are not measured
            --use_cuda --use_cuda_bus_id --use_cuda_dmabuf --cuda_mem_type --gpu_touch --use_hl --use_mlu \
                --use_mlu_dmabuf --use_musa --use_neuron --use_neuron_dmabuf --use_opencl --opencl_platform_id \
                --use_rocm --use_rocm_dmabuf --use_ib_dm_dmabuf: memory of accelerators and devices is not measured
            -B --source_mac -E --dest_mac -G --use_rss -J --dest_ip -j -K --dest_port -k --source_port -Y \
                --ethertype -v --mac_fwd --flows --flows_burst --promiscuous --raw_ipv6 --raw_mcast --reply_every \
                --sniffer --tcp --vlan_en --vlan_pcp: raw Ethernet is not RDMA
            -Z --server -P --client: the side without HOST is the server, as in the tests of RDMA
            --burst_size --typical_pkt_size --rate_limit --rate_limit_type --rate_units: no rate limit is set; a \
                limit of the network interface (tc, the switch) holds for all of it
            --mmap --mmap-offset --odp --use_hugepages --use-null-mr: buffers are registered memory in small pages; \
                for huge ones see the guide's page latency
            --payload_file_path --data_validation: the bytes are chosen so that they can be checked, in every run
            --tph_mem --cpu_id --ph: hints to the processor's cache are not given (TPH)
            --use_ooo: data are placed in the order of the transport
            --numa_node --pin_cores: start it with numactl or taskset
            --cpu_util: see `top -H` or `perf stat` during the run
            --cqe_poll: a poll takes up to 64 completions
            --inline_recv: receives are not inlined; -I is for sends
            --recv_post_list: receives are posted in lists of up to 64; -l is for sends
            --use-srq: each queue pair has receives of its own, -r of them
            --latency_gap: messages follow one another without a gap; -D bounds the time
            --output: extract values from the JSON of --json or --out_json
            -U --report-unsorted: latencies are counted in a histogram: -H prints it
            -C --report-cycles: the clock of Java has nanoseconds, no cycles
            -W --report-counters: see `rdma statistic`, sysfs, or `verbs top PID` during the run
            --report-both: the sum of both directions is reported; two runs without -b at once, from either side, \
                show each
            --reversed: start the server where the client was, and the reverse
            --run_infinitely: -D takes any number of seconds, and `verbs top PID` shows each during the run
            -f --margin: --warm-up sets what is not measured
            --write_with_imm --send_with_imm: the tests write_imm_lat and write_imm_bw have immediate data, on all \
                transports
            -X --vector: events use the completion queue's only vector
            --wait_destroy: everything is closed at once when the test is over
            """;

    private static final Map<String, String> REFUSED = refused();

    private static Map<String, String> refused() {
        Map<String, String> all = new HashMap<>();
        REFUSALS.lines().map(line -> line.split(": ", 2)).forEach(row -> {
            for (String name : row[0].split(" +", -1)) {
                all.put(name, row[1].replaceAll(" +", " "));
            }
        });
        return Map.copyOf(all);
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
