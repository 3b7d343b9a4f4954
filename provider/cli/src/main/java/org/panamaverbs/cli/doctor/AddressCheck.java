package org.panamaverbs.cli.doctor;

import java.net.InetAddress;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.panamaverbs.cli.doctor.RdmaDevice.Gid;
import org.panamaverbs.cli.doctor.RdmaDevice.Port;

/** Whether the active ports of RoCE have addresses by which they are reached, and what their packets may hold. */
final class AddressCheck implements Check {
    private static final String GIDS = "GIDs";
    private static final String MTU = "MTU";
    /** Bytes of headers that the kernel leaves room for: rdma/ib_addr.h, iboe_get_mtu. */
    private static final int ROCE_HEADERS = 96;

    private static final List<Integer> PATH_MTUS = List.of(4096, 2048, 1024, 512, 256);
    private static final int LARGEST = 4096;

    @Override
    public void look(MachineTree machine, Findings findings) {
        for (RdmaDevice device : RdmaDevice.all(machine)) {
            for (Port port : device.ports()) {
                if (port.active() && !port.infiniband() && !device.iwarp()) {
                    gids(device, port, findings);
                    mtu(machine, device, port, findings);
                }
            }
        }
    }

    private static void gids(RdmaDevice device, Port port, Findings findings) {
        String network = RdmaDevice.interfaceOf(port);
        String address = "ip address add ADDRESS/PREFIX dev " + network;
        List<Gid> gids = port.gids();
        if (gids.isEmpty()) {
            findings.warning(
                    GIDS,
                    device.text(port) + " has no GID: no peer can reach it",
                    "give its interface an address; each address makes GIDs",
                    address);
        } else if (gids.stream().allMatch(Gid::linkLocal)) {
            findings.warning(
                    GIDS,
                    device.text(port) + " has only link-local GIDs: connections to IP addresses do not find it",
                    "give its interface an IP address",
                    address);
        } else if (gids.stream().noneMatch(gid -> gid.roceV2() && !gid.linkLocal())) {
            findings.warning(
                    GIDS,
                    device.text(port)
                            + " has no RoCE v2 address: its packets are not routed, and v2 peers cannot be reached",
                    "check whether the adapter's driver and firmware support RoCE v2, and whether it is disabled",
                    "");
        } else {
            findings.ok(
                    GIDS,
                    device.text(port) + ": "
                            + gids.stream()
                                    .filter(gid -> gid.roceV2() && !gid.linkLocal())
                                    .map(gid -> "index " + gid.index() + " " + text(gid))
                                    .collect(Collectors.joining(", ")));
        }
    }

    /** Returns an IPv4 address in its own form. */
    private static String text(Gid gid) {
        return gid.ipv4() ? InetAddress.ofLiteral(gid.value()).getHostAddress() : gid.value();
    }

    private static void mtu(MachineTree machine, RdmaDevice device, Port port, Findings findings) {
        OptionalLong found = machine.number("sys/class/net/" + port.interfaceName() + "/mtu");
        if (port.interfaceName().isEmpty() || found.isEmpty()) {
            return;
        }
        long bytes = found.getAsLong();
        int path = PATH_MTUS.stream()
                .filter(mtu -> mtu + ROCE_HEADERS <= bytes)
                .findFirst()
                .orElse(0);
        String text = "interface " + port.interfaceName() + " of " + device.text(port) + " has MTU " + bytes;
        if (path == LARGEST) {
            findings.ok(MTU, text + ": packets of RDMA hold 4096 bytes");
        } else if (path == 0) {
            findings.warning(
                    MTU,
                    text + ", less than the smallest packets of RDMA need",
                    "raise it, together with that of all switches and peers on the path",
                    "ip link set " + port.interfaceName() + " mtu 1500");
        } else {
            findings.note(
                    MTU,
                    text + ": packets of RDMA hold " + path + " bytes, at most 4096 are possible",
                    "raise it if all switches and peers on the path support it",
                    "ip link set " + port.interfaceName() + " mtu 4200");
        }
    }
}
