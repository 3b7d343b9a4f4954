package org.panamaverbs.spi.flight;

/**
 * The place of an event, for people.
 *
 * @param provider the provider's name
 * @param device the device's name
 * @param queuePair the queue pair number, 0 if none is concerned
 * @param peer address and port of the peer, empty if unknown
 */
public record Place(String provider, String device, int queuePair, String peer) {
    /** Returns the place of queue pair {@code number} of the same device, with {@code itsPeer}. */
    public Place of(int number, String itsPeer) {
        return new Place(provider, device, number, itsPeer);
    }

    /** Returns the place in words, for example {@code queue pair 3 of device iwarp0, peer 10.0.0.2:4791}. */
    @Override
    public String toString() {
        return (queuePair == 0 ? "" : "queue pair " + queuePair + " of ")
                + "device "
                + device
                + (peer.isEmpty() ? "" : ", peer " + peer);
    }
}
