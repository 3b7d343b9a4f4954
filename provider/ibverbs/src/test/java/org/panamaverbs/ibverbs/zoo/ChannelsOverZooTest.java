package org.panamaverbs.ibverbs.zoo;

import org.junit.jupiter.api.Nested;
import org.panamaverbs.ibverbs.channel.ChannelCases;
import org.panamaverbs.testkit.RunsOn;

/** Channels on adapters of the zoo: RoCE, iWARP, and mlx5 by its direct verbs. */
class ChannelsOverZooTest {
    @Nested
    @RunsOn(Zoo.Roce.class)
    class Roce extends ChannelCases {}

    @Nested
    @RunsOn(Zoo.Iwarp.class)
    class Iwarp extends ChannelCases {}

    @Nested
    @RunsOn(Zoo.Mlx5.class)
    class Mlx5 extends ChannelCases {}
}
