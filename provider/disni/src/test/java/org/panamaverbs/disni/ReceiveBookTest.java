package org.panamaverbs.disni;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The order of receives, by which a flushed completion is told from that of a send. */
class ReceiveBookTest {
    private final ReceiveBook book = new ReceiveBook();

    @Test
    void knowsTheOldestReceiveAlone() {
        book.add(1);
        book.add(2);
        assertThat(book.completeIfNext(2)).isFalse();
        assertThat(book.completeIfNext(1)).isTrue();
        assertThat(book.completeIfNext(1)).isFalse();
        assertThat(book.completeIfNext(2)).isTrue();
        assertThat(book.completeIfNext(2)).isFalse();
    }

    @Test
    void forgetsARefusedReceive() {
        book.add(1);
        book.add(2);
        book.undo();
        book.complete();
        assertThat(book.completeIfNext(2)).isFalse();
    }

    @Test
    void keepsTheOrderWhenItGrows() {
        for (long id = 0; id < 10; id++) {
            book.add(id);
            book.complete();
        }
        for (long id = 10; id < 1010; id++) {
            book.add(id);
        }
        for (long id = 10; id < 1010; id++) {
            assertThat(book.completeIfNext(id)).isTrue();
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
            receives += book.completeIfNext(id) ? 1 : 0;
        }
        for (long id = 0; id < 4; id++) {
            receives += book.completeIfNext(id) ? 1 : 0;
        }
        assertThat(receives).isEqualTo(4);
    }
}
