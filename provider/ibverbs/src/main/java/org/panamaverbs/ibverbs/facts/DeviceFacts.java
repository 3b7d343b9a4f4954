package org.panamaverbs.ibverbs.facts;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.panamaverbs.api.device.DeviceInfo.Location;
import org.panamaverbs.api.device.DeviceInfo.Transport;
import org.panamaverbs.bindings.ibverbs.ibv_device_attr;
import org.panamaverbs.bindings.ibverbs.ibv_device_attr_ex;

/**
 * What the library and the kernel say of a device.
 *
 * @param name its name
 * @param transportType {@code enum ibv_transport_type}
 * @param kernelDriver the name of its driver in the kernel, empty if it is not known
 * @param boardId the board's identifier, empty without
 * @param attributes {@code struct ibv_device_attr_ex}
 * @param completionVectors {@code ibv_context.num_comp_vectors}
 * @param ports its ports
 * @param location where it is in this machine
 */
public record DeviceFacts(
        String name,
        int transportType,
        String kernelDriver,
        String boardId,
        MemorySegment attributes,
        int completionVectors,
        List<PortFacts> ports,
        Location location) {
    // infiniband/verbs.h: enum ibv_transport_type
    private static final int IBV_TRANSPORT_IB = 0;
    static final int IBV_TRANSPORT_IWARP = 1;

    /** Returns {@code ibv_device_attr_ex.orig_attr}. */
    public MemorySegment basic() {
        return ibv_device_attr_ex.orig_attr(attributes);
    }

    public String firmware() {
        return ibv_device_attr.fw_ver(basic()).getString(0);
    }

    /** Returns the node's GUID, converted from network order. */
    public long nodeGuid() {
        return Long.reverseBytes(ibv_device_attr.node_guid(basic()));
    }

    public int vendorId() {
        return ibv_device_attr.vendor_id(basic());
    }

    /** Returns what the device speaks; InfiniBand over an Ethernet port is RoCE. */
    public Transport transport() {
        return switch (transportType) {
            case IBV_TRANSPORT_IB ->
                ports.stream().anyMatch(PortFacts::isEthernet) ? Transport.ROCE : Transport.INFINIBAND;
            case IBV_TRANSPORT_IWARP -> Transport.IWARP;
            default -> Transport.OTHER;
        };
    }

    /** Returns the first active port; without one the first that is about to be active, or 1. */
    public int firstActivePort() {
        return ports.stream()
                .filter(PortFacts::isActive)
                .mapToInt(PortFacts::number)
                .findFirst()
                .orElseGet(() -> ports.stream()
                        .filter(PortFacts::isTraining)
                        .mapToInt(PortFacts::number)
                        .findFirst()
                        .orElse(1));
    }

    public boolean isUsable() {
        return ports.stream().anyMatch(PortFacts::isActive);
    }
}
