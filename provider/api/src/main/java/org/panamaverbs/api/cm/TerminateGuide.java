package org.panamaverbs.api.cm;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.panamaverbs.api.cm.TerminatedSegment.Message;

/** What is usually behind each {@link TerminateReason}, and what to do about it. */
final class TerminateGuide {
    // Name, usual cause and remedy of each, a line each.
    private static final String TEXT = """
            RDMAP_LOCAL_CATASTROPHIC
            the sender failed locally: an overrun completion queue, unusable memory of a work request, a process limit
            check that side's completions, events and log
            INVALID_STAG
            a Read or Atomic names an STag that is not registered: closed, invalidated, or never registered
            keep the registration open while the peer uses it; advertise it again after each invalidation
            BOUNDS
            a Read or Atomic goes beyond the memory under its STag
            compare offset and length with the advertised buffer; RemoteBuffer checks both
            ACCESS_RIGHTS
            the memory or the queue pair lacks the right: REMOTE_READ for a Read, REMOTE_ATOMIC for an Atomic
            grant that right in the responder's queue pair (withAccess), and register the memory or bind the window with it
            STAG_NOT_ASSOCIATED
            the STag belongs to another protection domain, or to a window bound over another queue pair
            register in the queue pair's domain; bind windows of type 2 over the connection that uses them
            TO_WRAP
            tagged offset plus length of a Read or Atomic exceed 2^64
            compute tagged offsets from the advertised one; RemoteBuffer does
            PROTECTION_CANNOT_INVALIDATE
            a Send with Invalidate names a registration, a window of type 1, or a window of another queue pair
            have peers invalidate only windows of type 2 bound over the same connection
            PROTECTION_UNSPECIFIED
            no reason given; iwarp sends it if registered memory is gone: its file was truncated or its file system is full
            read the responder's log; make room in its file system, or check STag, bounds and rights
            RDMAP_VERSION
            one side uses the RDMA Consortium's protocol (version 0) instead of the IETF's (1)
            configure the adapter for the IETF protocol
            UNEXPECTED_OPCODE
            Atomics or Immediate Data at a peer without RFC 7306, an unknown AOpCode, or a response without a request
            use what both sides support; for Swap of draft-ietf-storm-rdmap-ext-01 (AOpCode 1) set option draft.swap on both
            STREAM_CATASTROPHIC
            an Atomic whose target is not a multiple of 8 bytes, or more Reads than the responder accepts
            align the target's address, which AtomicTarget and RemoteBuffer check; connect with depths that both sides support
            GLOBAL_CATASTROPHIC
            the sender's adapter or provider failed as a whole
            reopen the device there; all its connections are lost
            OPERATION_CANNOT_INVALIDATE
            a Send with Invalidate names an STag that may not be invalidated by the peer
            have peers invalidate only windows of type 2 bound over the same connection
            OPERATION_UNSPECIFIED
            a malformed message, such as a short request or an Atomic Response of another request
            report the sender's bug to its vendor, with a capture
            DDP_LOCAL_CATASTROPHIC
            the sender failed locally
            check that side's completions, events and log
            TAGGED_INVALID_STAG
            a Write names an unregistered or read-only STag, or goes to a queue pair without REMOTE_WRITE; or a Read Response names the wrong sink
            grant REMOTE_WRITE in the queue pair (withAccess) and the registration, keep it open while the peer uses it, and advertise it again after each invalidation
            TAGGED_BOUNDS
            a Write goes beyond the memory under its STag, or a Read Response beyond its request
            compare offset and length with the advertised buffer; RemoteBuffer checks both
            TAGGED_NOT_ASSOCIATED
            a Write names an STag of another protection domain, or of a window of another queue pair
            register in the queue pair's domain; bind windows of type 2 over the connection that uses them
            TAGGED_TO_WRAP
            tagged offset plus length of a Write exceed 2^64
            compute tagged offsets from the advertised one; RemoteBuffer does
            TAGGED_VERSION
            a DDP version other than 1: another protocol, or a stream out of sync
            configure the adapter for the IETF protocol, or report the bug to the sender's vendor, with a capture
            UNTAGGED_INVALID_QN
            a message on the wrong queue, such as Immediate Data of an early draft
            report the sender's bug to its vendor, with a capture
            UNTAGGED_NO_BUFFER
            a Send or Immediate Data found no receive posted (queue 0), or on siw one too short; or more Reads and Atomics than the responder accepts (queue 1)
            post receives before the peer sends, as long as its longest message, and have the peer count them; keep to the negotiated depths
            UNTAGGED_MSN_RANGE
            a message that is not the next of its queue: the sender miscounts
            report the sender's bug to its vendor, with a capture
            UNTAGGED_INVALID_MO
            a segment does not continue its message
            report the sender's bug to its vendor, with a capture
            UNTAGGED_TOO_LONG
            a Send is longer than the receive it was matched with
            post receives as long as the longest message, or have the peer send less
            UNTAGGED_VERSION
            a DDP version other than 1: another protocol, or a stream out of sync
            configure the adapter for the IETF protocol, or report the bug to the sender's vendor, with a capture
            DDP_LLP
            the layer below DDP failed at the side that sent it
            check TCP: the peer's log and the network in between
            MPA_CONNECTION_LOST
            TCP failed: the network does not reach the peer, or the peer's process ended
            check whether the peer is up and why it ended; reconnect
            MPA_CRC
            corruption that TCP missed: an adapter's offload, a device in between, memory
            check the interface's error counters; disable checksum and segmentation offloads
            MPA_FRAMING
            an FPDU's length fits neither contents nor markers: the stream is out of sync
            report the sender's bug to its vendor, with a capture
            MPA_INVALID_FRAME
            the port belongs to another protocol
            check address and port, and that the peer speaks iWARP
            MPA_LOCAL_CATASTROPHIC
            the sender failed in connection set-up
            check that side's log; reconnect
            MPA_INSUFFICIENT_IRD
            one side wants more Reads and Atomics outstanding than the other accepts
            connect with smaller depths, ConnectionConfig.withDepths, or have the other side accept more
            MPA_NO_MATCHING_RTR
            the two sides have no ready-to-receive message in common
            allow more of them with option rtr, or connect without, ConnectionConfig.withPeerToPeer(false)
            COMPLETION_QUEUE_OVERRUN
            a completion queue of this queue pair was full, so a completion was lost
            poll more often, or size the queue for all requests that its queue pairs can have outstanding
            LOCAL_PROTECTION
            wrong lkey or range, no LOCAL_WRITE, another domain, memory closed after the post, a truncated file or a full file system
            the failed completion names the request; keep its memory registered and its file intact until it completes
            LOCAL_REQUEST
            the buffer of a bind lacks MEMORY_WINDOW_BIND, or LOCAL_WRITE for remote write or atomic, is too short, or of another domain; or the window is bound over another queue pair
            register the buffer with those rights in the queue pair's domain, and bind within it
            MEMORY_FAULT
            the peer's access was valid, but the memory faulted: its file was truncated, or its file system (tmpfs, /dev/shm) is full
            free space, allocate the whole file before mapping it (posix_fallocate), keep its length while it is registered, and reconnect
            MEMORY_GONE
            a buffer was closed while a Send, Write or Read Response from it was on the wire
            close buffers after the completion of their requests, and after the peer's last Read
            NO_FIRST_FPDU
            the accepting application sends first over a connection without a ready-to-receive message, or the initiator's application has stopped
            connect with a ready-to-receive message, ConnectionConfig.withPeerToPeer(true), or have the initiator's application send first; option first.fpdu.timeout limits the wait
            PEER_CLOSED
            the peer's process ended, or closed its socket, in the middle of a message
            check the peer's log for why it ended; reconnect
            PEER_RESET
            the peer's process was killed or aborted the connection: a failure, a timeout, or a close with unread data
            check the peer's log for why it ended; reconnect
            PEER_SILENT
            the peer is dead, frozen or cut off
            check the peer and the network in between; allow more time if the peer is only slow
            PROVIDER_FAILURE
            an error in this provider; the log has the stack trace
            report it
            UNREGISTERED
            the peer sent unregistered numbers
            see the documentation of the peer's adapter
            """;

    private static final String IMPLEMENTATION = "report the sender's bug to its vendor, with a capture";
    private static final String DEPTHS = "keep to the negotiated depths";

    private record Entry(String usualCause, String remedy) {}

    private static final Map<String, Entry> ENTRIES = new HashMap<>();

    static {
        Iterator<String> lines = TEXT.lines().iterator();
        while (lines.hasNext()) {
            ENTRIES.put(lines.next(), new Entry(lines.next(), lines.next()));
        }
    }

    private TerminateGuide() {}

    /** Returns the names of the reasons that it has something to say about. */
    static Set<String> reasons() {
        return ENTRIES.keySet();
    }

    // By its name: the reason knows its guide.
    static String usualCause(String reason) {
        return entry(reason).usualCause;
    }

    static String remedy(String reason) {
        return entry(reason).remedy;
    }

    /**
     * Returns the remedy for a {@code reason} that was found in a {@code message}: one code stands for several
     * mistakes. No application decides what an answer to a Read or Atomic looks like.
     */
    static String remedy(TerminateReason reason, Message message) {
        boolean answer = message == Message.READ_RESPONSE || message == Message.ATOMIC_RESPONSE;
        boolean asks = message == Message.READ_REQUEST || message == Message.ATOMIC_REQUEST;
        return switch (reason) {
            case TAGGED_INVALID_STAG ->
                answer
                        ? "keep the memory that a Read fills registered until it completes; if it was, "
                                + IMPLEMENTATION
                        : reason.remedy();
            case UNTAGGED_NO_BUFFER ->
                answer
                        ? IMPLEMENTATION
                        : asks
                                ? DEPTHS
                                : "post receives before the peer sends, as long as its longest message, and have the"
                                        + " peer count them";
            case UNEXPECTED_OPCODE ->
                switch (message) {
                    case ATOMIC_REQUEST -> reason.remedy();
                    case IMMEDIATE, IMMEDIATE_SOLICITED ->
                        "use what both sides support: the peer has no Immediate Data (RFC 7306)";
                    default -> IMPLEMENTATION;
                };
            case STREAM_CATASTROPHIC ->
                switch (message) {
                    case ATOMIC_REQUEST ->
                        "align the target's address, which AtomicTarget and RemoteBuffer check; " + DEPTHS;
                    case READ_REQUEST -> "connect with depths that both sides support, and " + DEPTHS;
                    default -> reason.remedy();
                };
            case INVALID_STAG,
                    BOUNDS,
                    ACCESS_RIGHTS,
                    STAG_NOT_ASSOCIATED,
                    TO_WRAP,
                    OPERATION_UNSPECIFIED,
                    TAGGED_BOUNDS,
                    TAGGED_NOT_ASSOCIATED,
                    TAGGED_TO_WRAP,
                    UNTAGGED_INVALID_QN,
                    UNTAGGED_MSN_RANGE,
                    UNTAGGED_INVALID_MO,
                    UNTAGGED_TOO_LONG -> answer ? IMPLEMENTATION : reason.remedy();
            default -> reason.remedy();
        };
    }

    private static Entry entry(String reason) {
        Entry entry = ENTRIES.get(reason);
        if (entry == null) {
            throw new IllegalStateException("the guide says nothing about " + reason);
        }
        return entry;
    }
}
