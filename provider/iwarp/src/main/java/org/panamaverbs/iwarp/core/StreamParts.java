package org.panamaverbs.iwarp.core;

import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/** What a stream is made of, put together. */
final class StreamParts {
    // What ORD and IRD are limited to.
    private static final int REQUESTS = 256;

    final SendRing sends;
    final @Nullable ReceiveRing ownReceives;
    final Completions completions;
    final SendCommands commands;
    final ReceiveCommands receiveCommands;
    final OutstandingRequests outstanding = new OutstandingRequests(REQUESTS);
    final InboundRequests inbound = new InboundRequests(REQUESTS);
    final Offender offender;
    final Gather gather;
    final Transmitter transmitter;
    final Receiver receiver;
    final FpduReceiver fpdus;
    final StreamTimers timers;
    final StreamListener listener;

    /** Makes them as the constructor of {@link Stream} says; {@code deliveries} hears of what arrives. */
    StreamParts(
            StreamConfig config,
            StagTable stags,
            BufferPool buffers,
            CompletionSink sendSink,
            CompletionSink receiveSink,
            ReceiveSource receives,
            @Nullable ReceiveRing ownReceives,
            StreamListener listener,
            Receiver.Listener deliveries) {
        this.ownReceives = ownReceives;
        this.listener = listener;
        Arena arena = Arena.ofAuto();
        ViewPool views = new ViewPool();
        Protection protection = new Protection(stags, config.domainId(), config.qpNumber());
        LocalOperations local = new LocalOperations(stags, protection, config);
        sends = new SendRing(config.maxSendWr(), config.maxSendSge(), config.maxInlineBytes(), arena);
        completions = new Completions(config, sends, sendSink, receiveSink, ownReceives);
        commands = new SendCommands(sends, config, protection, completions);
        receiveCommands = new ReceiveCommands(ownReceives, config, completions);
        timers = new StreamTimers(config);
        offender = new Offender(arena);
        gather = new Gather(views, buffers);
        SegmentWriter writer = new SegmentWriter(gather, config.maxInlineBytes(), arena);
        SendMessages requests = new SendMessages(sends, outstanding, protection, local, writer, offender);
        Responses responses = new Responses(inbound, protection, writer, offender);
        transmitter = new Transmitter(gather, writer, requests, responses, outstanding, offender, config.maxSendSge());
        receiver = new Receiver(config, protection, local, receives, sends, outstanding, inbound, deliveries);
        fpdus = new FpduReceiver(receiver, new Placement(protection, views), offender, arena);
    }
}
