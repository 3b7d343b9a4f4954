package org.panamaverbs.ibverbs.objects;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.Capabilities;
import org.panamaverbs.api.DeviceInfo.Transport;

/**
 * An opened device, as {@link IbvContext} takes it over.
 *
 * @param context the {@code struct ibv_context}, closed with the {@link IbvContext}
 * @param device the device's name
 * @param transport what it speaks
 * @param capabilities what it can do
 * @param port the port that queue pairs start with, from 1
 * @param critical whether the data path uses critical calls
 * @param kernelWcFlags whether completions carry the kernel's flags, whose with-invalidate is libibverbs' checksum flag
 */
public record ContextConfig(
        MemorySegment context,
        String device,
        Transport transport,
        Capabilities capabilities,
        int port,
        boolean critical,
        boolean kernelWcFlags) {}
