/**
 * What a device is and has counted: capabilities, ports, GIDs, clock and statistics.
 *
 * <p>Three entry points:
 *
 * <ul>
 *   <li>{@link org.panamaverbs.api.Verbs#capabilities()} has the limits and
 *       {@link org.panamaverbs.api.device.Capabilities.Feature}s of the device, {@code ibv_query_device_ex(3)}.
 *   <li>{@link org.panamaverbs.api.Verbs#port} describes a {@link org.panamaverbs.api.device.Port} and its GID table.
 *   <li>{@link org.panamaverbs.api.Verbs#statistics()} counts what the device did, by
 *       {@link org.panamaverbs.api.device.Counter}.
 * </ul>
 *
 * <pre>{@code
 * Capabilities limits = verbs.capabilities();
 * int depth = Math.min(4096, limits.maxQpWr());
 * if (!limits.has(Capabilities.Feature.MEMORY_WINDOW_TYPE_2)) {
 *     throw new UnsupportedOperationException(verbs.device().name() + " has no memory windows of type 2");
 * }
 * }</pre>
 *
 * <p>Values of this package never change after they were queried.
 */
@NullMarked
package org.panamaverbs.api.device;

import org.jspecify.annotations.NullMarked;
