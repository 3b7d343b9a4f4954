package org.panamaverbs.disni.objects;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The order of receives, by which a flushed completion is told from that of a send. */
class ReceiveBookTest {
    private final ReceiveBook book = new ReceiveBook(1);

    @Test
    void knowsTheOldestReceiveAlone() {
        book.add(1);
        book.add(2);
        assertThat(strike(2)).isFalse();
        assertThat(strike(1)).isTrue();
        assertThat(strike(1)).isFalse();
        assertThat(strike(2)).isTrue();
        assertThat(strike(2)).isFalse();
    }

    @Test
    void forgetsARefusedReceive() {
        book.add(1);
        book.add(2);
        book.undo();
        assertThat(book.strike(1, true)).isTrue();
        assertThat(strike(2)).isFalse();
    }

    @Test
    void keepsTheOrderWhenItGrows() {
        for (long id = 0; id < 10; id++) {
            book.add(id);
            assertThat(book.strike(id, true)).isTrue();
        }
        for (long id = 10; id < 1010; id++) {
            book.add(id);
        }
        for (long id = 10; id < 1010; id++) {
            assertThat(strike(id)).isTrue();
        }
    }

    @Test
    void sendsAndReceivesOfTheSameIdsAreToldApartInNumber() {
        for (long id = 0; id < 4; id++) {
            book.add(id);
        }
        int receives = 0;
        for (long id = 0; id < 4; id++) {
            // The send of this id, then, flushed later, the receive.
            receives += strike(id) ? 1 : 0;
        }
        for (long id = 0; id < 4; id++) {
            receives += strike(id) ? 1 : 0;
        }
        assertThat(receives).isEqualTo(4);
    }

    @Test
    void aSuccessWithoutANoteStrikesNothingOut() {
        assertThat(book.strike(1, true)).isFalse();
        book.add(2);
        assertThat(strike(2)).isTrue();
    }

    // What a device says of a completion that failed, and does not know of what it is.
    private boolean strike(long id) {
        return book.strike(id, false);
    }
}
