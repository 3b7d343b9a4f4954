package org.panamaverbs.bench.compare.contestant;

/** Where the two who exchange messages are, which has a report of its own each. */
public enum Place {
    /** Anywhere: everybody goes over the network's protocols, here on the loopback. */
    NETWORK,
    /** On one host: everybody goes over memory that both share. */
    ONE_HOST
}
