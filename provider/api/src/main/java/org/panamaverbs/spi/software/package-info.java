/**
 * Base classes of providers that carry out requests in software: memory regions, completion queues and channels,
 * posting with its checks in order, batches, shared receive queues and event queues. A provider extends
 * {@link org.panamaverbs.spi.software.SoftwareDevice}, {@link org.panamaverbs.spi.software.SoftwareDomain} and
 * {@link org.panamaverbs.spi.software.SoftwareQueuePair}, and sets up connections; the guide's page {@code provider}
 * walks through one. For providers only.
 */
@NullMarked
package org.panamaverbs.spi.software;

import org.jspecify.annotations.NullMarked;
