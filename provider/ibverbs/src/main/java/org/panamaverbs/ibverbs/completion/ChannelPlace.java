package org.panamaverbs.ibverbs.completion;

/**
 * Where a completion queue raises its events.
 *
 * @param channel the channel
 * @param place which of the channel's queues it is
 */
record ChannelPlace(IbvCompletionChannel channel, ChannelPlaces.Place place) {}
