package org.panamaverbs.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.panamaverbs.spi.support.EventWriter;

/** Holders are written by providers alone, and say what was written last. */
class EventsTest {
    private static final EventWriter WRITER = EventWriter.get();

    @Test
    void holdersSayWhatWasWrittenLast() {
        Events events = Events.ofCapacity(2);
        Event event = WRITER.slot(events, 0);
        RuntimeException failure = new IllegalStateException("a failure");
        WRITER.of(event, "a member", "its attachment");
        WRITER.failed(event, failure);
        WRITER.filled(events, 1);
        assertThat(events.count()).isEqualTo(1);
        assertThat(events.get(0)).isSameAs(event).hasToString("FAILED of a member");
        assertThat(event.type()).isEqualTo(Event.Type.FAILED);
        assertThat(event.source()).isEqualTo("a member");
        assertThat(event.attachment()).isEqualTo("its attachment");
        assertThat(event.failure()).isSameAs(failure);
        assertThatThrownBy(event::connection)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the event is FAILED, not ESTABLISHED");
        WRITER.of(event, "another member", null);
        assertThatThrownBy(event::failure).hasMessage("the event is none, not FAILED");
        assertThat(event.attachment()).isNull();
    }

    @Test
    void holdersThatAreNotFilledAreCleared() {
        Events events = Events.ofCapacity(2);
        Event event = WRITER.slot(events, 0);
        WRITER.of(event, "a member", null);
        WRITER.failed(event, new IllegalStateException());
        WRITER.filled(events, 1);
        WRITER.filled(events, 0);
        assertThat(event).hasToString("no event");
        assertThatThrownBy(() -> events.get(0)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(event::source).isInstanceOf(NullPointerException.class);
    }

    @Test
    void thereIsOneWriter() {
        assertThatThrownBy(() -> EventWriter.provide(WRITER)).isInstanceOf(IllegalStateException.class);
    }
}
