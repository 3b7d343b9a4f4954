package org.panamaverbs.ibverbs.xrc;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.memory.ManagedResource;

/**
 * The native domain, as what is made in it knows it.
 *
 * @param owner the application's, which is closed after it
 * @param context the device
 * @param handle {@code struct ibv_xrcd}
 */
record NativeXrcDomain(ManagedResource owner, IbvContext context, MemorySegment handle) {}
