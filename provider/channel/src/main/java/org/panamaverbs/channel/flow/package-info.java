/**
 * Framing and flow control of channels, without verbs, threads and clocks:
 * {@link org.panamaverbs.channel.flow.Outbound} for what one end publishes,
 * {@link org.panamaverbs.channel.flow.Inbound} for what arrives. For the package above.
 */
@NullMarked
package org.panamaverbs.channel.flow;

import org.jspecify.annotations.NullMarked;
