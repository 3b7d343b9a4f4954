/**
 * Rarely supported features: device memory, thread and parent domains, flow steering, extended reliable connections
 * (XRC), atomic writes and flushes, and vendor-created objects.
 *
 * <p>Three entry points:
 *
 * <ul>
 *   <li>{@link org.panamaverbs.api.device.Capabilities#has} says whether the device supports a feature; a method whose
 *       feature is missing throws {@link java.lang.UnsupportedOperationException} and names it.
 *   <li>{@link org.panamaverbs.api.QueuePair#flow} steers packets to a raw queue pair by a
 *       {@link org.panamaverbs.api.ext.FlowRule}.
 *   <li>{@link org.panamaverbs.api.ext.ExtendedSendQueue} posts atomic writes and flushes on a queue pair that was
 *       created for them: {@link org.panamaverbs.api.QueuePairConfig#withSendOps}.
 * </ul>
 *
 * <pre>{@code
 * if (verbs.capabilities().has(Capabilities.Feature.DEVICE_MEMORY)) {
 *     try (DeviceMemory onDevice = verbs.deviceMemory(4096, 6)) {
 *         System.out.println(onDevice);
 *     }
 * }
 * }</pre>
 */
@NullMarked
package org.panamaverbs.api.ext;

import org.jspecify.annotations.NullMarked;
