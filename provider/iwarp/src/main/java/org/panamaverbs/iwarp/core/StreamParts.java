package org.panamaverbs.iwarp.core;

import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.core.memory.Protection;
import org.panamaverbs.iwarp.core.memory.StagTable;
import org.panamaverbs.iwarp.core.memory.ViewPool;

/** What a stream is made of, put together. */
final class StreamParts {
    final int domain;
    final int number;
    final int peerRights;
    final SendRing sends;
    final @Nullable ReceiveRing ownReceives;
    final Completions completions;
    final SendCommands commands;
    final ReceiveCommands receiveCommands;
    final OutstandingRequests outstanding = new OutstandingRequests();
    final InboundRequests inbound = new InboundRequests();
    final TerminatedHeaders terminatedHeaders;
    final FpduWriter writer;
    final Transmitter transmitter;
    final DirectRequests direct;
    final Protection protection;
    final Receiver receiver;
    final FpduReceiver fpdus;
    final StreamTimers timers;
    final StreamListener listener;
    final boolean prediction;

    /** Makes the parts as the constructor of {@link Stream} says; {@code deliveries} hears of what arrives. */
    StreamParts(
            StreamConfig config,
            StagTable stags,
            BufferPool buffers,
            StreamQueues queues,
            StreamListener listener,
            ReceiverListener deliveries) {
        domain = config.domainId();
        number = config.qpNumber();
        peerRights = Protection.REMOTE & config.peerRights();
        ownReceives = queues.own();
        this.listener = listener;
        Arena arena = Arena.ofAuto();
        ViewPool views = new ViewPool();
        protection = new Protection(stags, config.domainId(), config.qpNumber(), config.peerRights());
        LocalOperations local = new LocalOperations(stags, protection, config);
        sends = new SendRing(config.maxSendWr(), config.maxSendSge(), config.maxInlineBytes(), arena);
        completions = new Completions(config, sends, queues.sends(), queues.receives(), ownReceives);
        commands = new SendCommands(sends, config, protection, completions);
        receiveCommands = new ReceiveCommands(ownReceives, config, completions);
        timers = new StreamTimers(config);
        terminatedHeaders = new TerminatedHeaders(arena);
        direct = new DirectRequests(sends, protection);
        writer = new FpduWriter(views, buffers, config.maxSendSge(), config.maxInlineBytes(), arena);
        SendMessages requests =
                new SendMessages(sends, outstanding, protection, direct, local, writer, terminatedHeaders);
        Responses responses = new Responses(inbound, protection, writer, terminatedHeaders);
        transmitter = new Transmitter(writer, requests, responses, outstanding, inbound, terminatedHeaders);
        Placement placement = new Placement(protection, views);
        receiver = new Receiver(
                config,
                protection,
                local,
                queues.source(),
                sends,
                outstanding,
                inbound,
                completions,
                placement,
                deliveries);
        PredictedReceive predicted = new PredictedReceive(receiver, protection, completions, ownReceives);
        fpdus = new FpduReceiver(receiver, predicted, placement, terminatedHeaders, arena);
        prediction = config.prediction();
    }
}
