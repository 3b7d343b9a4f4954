/**
 * What a provider whose requests are carried out by software has besides its transport: registrations, completion
 * queues and channels, queues of requests with the checks of a post in their order, batches, shared receive queues and
 * event queues. A provider extends {@link org.panamaverbs.api.software.SoftwareDevice},
 * {@link org.panamaverbs.api.software.SoftwareDomain} and {@link org.panamaverbs.api.software.SoftwareQueuePair}, and
 * sets up connections; the guide's page {@code provider} walks through one. For providers; applications do not need it.
 */
@NullMarked
package org.panamaverbs.api.software;

import org.jspecify.annotations.NullMarked;
