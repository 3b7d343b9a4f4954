package org.panamaverbs.ibverbs;

import org.panamaverbs.ibverbs.channel.ChannelCases;
import org.panamaverbs.testkit.RunsOn;

/** Channels on the lab's device siw0. */
@RunsOn(Devices.Siw.class)
class ChannelOnSiwTest extends ChannelCases {}
