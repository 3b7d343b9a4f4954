package org.panamaverbs.ibverbs.context;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.DeviceInfo.Transport;
import org.panamaverbs.ibverbs.device.Quirks;

/**
 * An opened device, as {@link IbvContext} takes it over.
 *
 * @param context the {@code struct ibv_context}, closed with the {@link IbvContext}
 * @param device the device's name
 * @param transport what it speaks
 * @param capabilities what it can do
 * @param port the port that queue pairs start with, from 1
 * @param critical whether the data path uses critical calls
 * @param forbidsRawPackets whether the process lacks the right CAP_NET_RAW, so that nobody knows whether the device has
 *     raw queue pairs
 * @param quirks what its driver does otherwise than it should
 */
public record ContextConfig(
        MemorySegment context,
        String device,
        Transport transport,
        Capabilities capabilities,
        int port,
        boolean critical,
        boolean forbidsRawPackets,
        Quirks quirks) {}
