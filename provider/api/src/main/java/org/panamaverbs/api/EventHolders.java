package org.panamaverbs.api;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.spi.support.EventWriter;

/** Writes {@link Event}s, which applications only read. */
final class EventHolders extends EventWriter {
    @Override
    public Event slot(Events events, int index) {
        return events.entries[index];
    }

    @Override
    public void filled(Events events, int count) {
        for (int i = count; i < events.count; i++) {
            clear(events.entries[i]);
        }
        events.count = count;
    }

    @Override
    public void of(Event into, Object member, @Nullable Object attachment) {
        into.source = member;
        into.attachment = attachment;
        into.subject = null;
    }

    @Override
    public void request(Event into, ConnectionRequest request) {
        set(into, Event.Type.CONNECT_REQUEST, request);
    }

    @Override
    public void established(Event into, Connection connection) {
        set(into, Event.Type.ESTABLISHED, connection);
    }

    @Override
    public void failed(Event into, RuntimeException failure) {
        set(into, Event.Type.FAILED, failure);
    }

    @Override
    public void disconnected(Event into, Connection connection) {
        set(into, Event.Type.DISCONNECTED, connection);
    }

    @Override
    public void completion(Event into, CompletionQueue queue) {
        set(into, Event.Type.COMPLETION, queue);
    }

    @Override
    public void async(Event into, AsyncEvent event) {
        set(into, Event.Type.ASYNC, event);
        into.source = event.source();
    }

    @Override
    public void clear(Event into) {
        into.source = null;
        into.attachment = null;
        into.subject = null;
    }

    private static void set(Event into, Event.Type type, Object subject) {
        into.type = type;
        into.subject = subject;
    }
}
