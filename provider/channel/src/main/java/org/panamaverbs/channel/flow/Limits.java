package org.panamaverbs.channel.flow;

/**
 * The numbers that both ends of a channel agree on. Credits cannot starve: data leaves {@link #reserve} receives of the
 * peer to them, and each end reports when {@link #reportReceives} receives were posted again or {@link #reportBytes}
 * bytes released. Without news from the peer an end has at most {@code receives / reportReceives + 4} credits to send,
 * no more than the half of the reserve that beats, credits which are not due, leave to them; so both cannot be out of
 * receives at once, and an end that is not reports in time for the other.
 *
 * @param ringBytes unreleased bytes under way in one direction at most, a power of two
 * @param receives receives that each end has posted, a power of two from 64
 * @param chunkBytes bytes of one message of the queue pair at most: of a receive, or {@code ringBytes} for a ring
 */
public record Limits(int ringBytes, int receives, int chunkBytes) {
    int reserve() {
        return receives / 4;
    }

    int reportReceives() {
        return receives / 4;
    }

    int repostReceives() {
        return receives / 16;
    }

    int reportBytes() {
        return ringBytes / 4;
    }
}
