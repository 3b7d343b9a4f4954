package org.panamaverbs.ibverbs;

import org.panamaverbs.ibverbs.channel.ChannelCases;
import org.panamaverbs.testkit.RunsOn;

/** Channels on the lab's device rxe0. */
@RunsOn(Devices.Rxe.class)
class ChannelOnRxeTest extends ChannelCases {}
