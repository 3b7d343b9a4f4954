package org.panamaverbs.spi.flight;

import jdk.jfr.Event;
import jdk.jfr.Label;

/** What all events of verbs have. */
abstract class VerbsEvent extends Event {
    @Label("Provider")
    String provider = "";

    @Label("Device")
    String device = "";

    @Label("Queue Pair")
    int queuePair;

    @Label("Peer")
    String peer = "";

    /** Sets where it happened. */
    final void at(Place place) {
        provider = place.provider();
        device = place.device();
        queuePair = place.queuePair();
        peer = place.peer();
    }
}
