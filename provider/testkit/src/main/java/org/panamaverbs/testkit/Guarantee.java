package org.panamaverbs.testkit;

import java.util.EnumSet;
import java.util.Set;
import org.panamaverbs.api.device.DeviceInfo.Transport;

/**
 * What a device promises beyond its capabilities. Most of it the specifications promise of every device, and some are
 * known to break it; the rest is the promise of some transports and not of others. The suite asks for each, except of
 * the transports that do not promise it and of the devices that {@link ProviderUnderTest#broken} names: there what
 * rests on it is not asked for, and a test that is about nothing else is skipped with this reason.
 */
public enum Guarantee {
    /** RFC 5040 section 5.5, item 15: the requests of a send queue complete in the order of their posting. */
    COMPLETION_ORDER("a Send or Write completes before the Read that was posted before it"),
    /** RFC 5040 section 5.2: a Read of no bytes is answered with none. */
    EMPTY_READS("a Read of no bytes may be answered with the bytes of another"),
    /** RFC 5040 section 5.3: a solicited message raises an event where one is armed for. */
    SOLICITED_EVENTS("no message raises the event that is armed for solicited ones"),
    /** ibv_req_notify_cq(3): a completion that is no success counts as solicited. */
    FAILURES_ARE_SOLICITED("a receive that is flushed does not raise the event that is armed for solicited ones"),
    /** What is posted to a queue pair that fails, before or after it does, completes, flushed. */
    FLUSH_AFTER_FAILURE("what is posted to a failed queue pair, and Reads behind one that failed, never complete"),
    /** RFC 5040 section 6.2.1: a request completes once. */
    ONE_COMPLETION("a Read that was about to be sent when its connection failed may complete twice"),
    /** Ours, of this API: what was posted has arrived when a disconnect returns. */
    DISCONNECT_AWAITS_ARRIVAL("a disconnect returns when the kernel has taken what was posted, arrived or not"),
    /**
     * Ours, of this API: an attempt to connect or accept that is closed or undone has nothing more of its queue pair.
     */
    CLOSED_ATTEMPT_LETS_GO("an attempt that is closed or undone keeps its queue pair until its answer is there"),
    /** A queue refuses more requests than it says it holds. */
    EXACT_DEPTHS("a queue takes more requests than it says it holds"),
    /** A send queue's place is free once the completion of its request, or of a later one, was polled. */
    PLACES_UNTIL_POLLED("a place of the send queue is free as soon as its request is done, polled or not"),
    /** RFC 5040 section 8.1.1: a memory window gives access to its part of the buffer alone. */
    WINDOW_BOUNDS("a window gives access to its whole buffer"),
    /** RFC 5040 section 8.1.1: a peer invalidates nothing that is associated with a whole protection domain. */
    DOMAIN_STAGS_STAY("a peer invalidates registrations of the whole protection domain"),
    /** RFC 5040 section 7.2: a Send whose key cannot be invalidated ends the connection. */
    REFUSED_INVALIDATE_ENDS("a Send whose key cannot be invalidated fails its receive alone"),
    /** RFC 5040 section 8.1.1: a peer reads only what grants it. */
    READ_RIGHTS("a peer reads registrations that do not grant it"),
    /** {@code qp_access_flags}: a peer may do over a queue pair only what it was created for. */
    QUEUE_PAIR_RIGHTS("what a peer may do is the registration's to grant alone"),
    /** What fails completes with the status that tells why. */
    ERROR_STATUSES("what fails may complete with any error"),
    /** A bind of a memory window that is refused completes with the status that tells why. */
    BIND_STATUSES("a bind that is refused may complete with any error"),
    /** Ours, of this API: posting and polling allocate nothing. */
    NO_GARBAGE("posting and polling allocate"),
    /**
     * A refused request ends the responder's side as well. InfiniBand's answers a NAK and goes on, or fails without an
     * answer (InfiniBand volume 1 section 9.9.3).
     */
    REFUSAL_ENDS_BOTH("a refused request ends one side alone", Transport.INFINIBAND, Transport.ROCE),
    /** A queue pair's peer hears at once that it failed. InfiniBand's finds out by its retries. */
    FAILURE_ENDS_PEER("a peer finds out by retries of many seconds", Transport.INFINIBAND, Transport.ROCE),
    /** A Send or Write completes when the peer has taken it. Not on iWARP: RFC 5040 section 5.5, item 9. */
    COMPLETION_MEANS_ARRIVAL("a Send or Write may complete before the peer refuses it", Transport.IWARP),
    /** RFC 5041 section 5.2, RFC 5040 section 5.2.1: an access to no bytes needs no valid key. */
    EMPTY_ACCESS_UNCHECKED("an access to no bytes may need a valid key", Transport.INFINIBAND, Transport.ROCE),
    /** RFC 5040 section 8.1.1: nobody can guess the key of a registration. */
    UNPREDICTABLE_KEYS("keys of registrations can be guessed", Transport.INFINIBAND, Transport.ROCE),
    /** Private data arrives as long as it was sent. InfiniBand's messages have a fixed length. */
    EXACT_PRIVATE_DATA("private data is padded with zeros", Transport.INFINIBAND, Transport.ROCE),
    /** RFC 7306 section 5.1.2: who answers an atomic judges its alignment. */
    ALIGNMENT_JUDGED_BY_PEER("drivers may refuse a misaligned atomic", Transport.INFINIBAND, Transport.ROCE),
    /** An atomic is under way when its post returns. Software devices may have done it by then. */
    ATOMICS_UNDER_WAY("atomics complete while they are posted", Transport.INFINIBAND, Transport.ROCE);

    private final String otherwise;

    @SuppressWarnings("ImmutableEnumChecker") // what Set.of returns does not change
    private final Set<Transport> others;

    Guarantee(String otherwise, Transport... others) {
        this.otherwise = otherwise;
        this.others = Set.of(others);
    }

    /** Returns the guarantees in {@code broken}, and those that {@code transport} does not promise. */
    static Set<Guarantee> missing(Set<Guarantee> broken, Transport transport) {
        EnumSet<Guarantee> missing = EnumSet.noneOf(Guarantee.class);
        missing.addAll(broken);
        for (Guarantee each : values()) {
            if (each.others.contains(transport)) {
                missing.add(each);
            }
        }
        return missing;
    }

    /** Returns what happens where it is broken. */
    public String otherwise() {
        return otherwise;
    }
}
