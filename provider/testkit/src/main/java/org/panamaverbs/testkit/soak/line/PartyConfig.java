package org.panamaverbs.testkit.soak.line;

/**
 * How a {@link Party} is made.
 *
 * @param provider the provider's name
 * @param device the device's name, empty for the provider's first
 * @param address the address that the device is reached at
 * @param peer its number, -1 for the process under test
 * @param incarnation how often that peer was started before
 * @param lines how many lines there will be at once
 * @param workers how many threads work them
 * @param boundNanos how long after its end a line may lack completions
 * @param sharedPercent how many of a hundred lines that it connects may go by memory shared with a peer of this host;
 *     the others go by the network, and 0 leaves it to the provider
 * @param seed of all random choices
 */
public record PartyConfig(
        String provider,
        String device,
        String address,
        int peer,
        int incarnation,
        int lines,
        int workers,
        long boundNanos,
        int sharedPercent,
        long seed) {}
