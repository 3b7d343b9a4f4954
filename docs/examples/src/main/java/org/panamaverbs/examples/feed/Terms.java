package org.panamaverbs.examples.feed;

import java.net.InetAddress;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.channel.ChannelConfig;

/**
 * What both ends agree on, and how the publisher publishes.
 *
 * @param group the multicast group
 * @param updates how many prices there are
 * @param rate how many are published a second
 * @param lose the publisher does not send one in so many; 0 for none
 * @param subscribers how many there are
 */
record Terms(InetAddress group, long updates, int rate, int lose, int subscribers) {
    /** Returns how both ends configure their channels: a reply fits into a receive. */
    ChannelConfig channels() {
        return ChannelConfig.defaults().withMaxChannels(subscribers);
    }

    /** Refuses a device without multicast before anybody waits for it. */
    static void requireMulticast(Verbs verbs) {
        if (!verbs.capabilities().has(Feature.MULTICAST)) {
            throw new UnsupportedOperationException("device " + verbs.device().name() + " of provider "
                    + verbs.provider() + " has no multicast: take ibverbs on InfiniBand or RoCE"
                    + " (VERBS_PROVIDER=ibverbs); iWARP has no datagrams");
        }
    }
}
