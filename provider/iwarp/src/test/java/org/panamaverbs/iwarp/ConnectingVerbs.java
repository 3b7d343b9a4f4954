package org.panamaverbs.iwarp;

import java.util.Optional;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.EventQueue;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.api.device.DeviceStatistics;

/** A device that has its connections in its own way, and all else of another. */
abstract class ConnectingVerbs implements Verbs {
    final Verbs verbs;

    ConnectingVerbs(Verbs verbs) {
        this.verbs = verbs;
    }

    @Override
    public EventQueue eventQueue() {
        return verbs.eventQueue();
    }

    @Override
    public String provider() {
        return verbs.provider();
    }

    @Override
    public String selection() {
        return verbs.selection();
    }

    @Override
    public DeviceInfo device() {
        return verbs.device();
    }

    @Override
    public Capabilities capabilities() {
        return verbs.capabilities();
    }

    @Override
    public DeviceStatistics statistics() {
        return verbs.statistics();
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return verbs.protectionDomain();
    }

    @Override
    public CompletionQueue completionQueue(CompletionQueueConfig config) {
        return verbs.completionQueue(config);
    }

    @Override
    public CompletionChannel completionChannel() {
        return verbs.completionChannel();
    }

    @Override
    public Optional<AsyncEvent> asyncEvent(Deadline deadline) {
        return verbs.asyncEvent(deadline);
    }

    @Override
    public void close() {
        verbs.close();
    }
}
