package org.panamaverbs.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReceiveListTest {
    @Test
    void keepsReceivesInOrderWithTheirPieces() {
        ReceiveList list = ReceiveList.ofCapacity(3, 2);
        list.add(10, 0x1000, 16, 7);
        list.add(11, SgList.ofCapacity(3).add(0x2000, SgList.MAX_LENGTH, 8).add(0x3000, 5, 9));
        list.add(12, SgList.ofCapacity(1));

        assertThat(list.count()).isEqualTo(3);
        assertThat(list.capacity()).isEqualTo(3);
        assertThat(list.maxSge()).isEqualTo(2);
        assertThat(List.of(list.wrId(0), list.wrId(1), list.wrId(2))).containsExactly(10L, 11L, 12L);
        assertThat(List.of(list.sgeCount(0), list.sgeCount(1), list.sgeCount(2)))
                .containsExactly(1, 2, 0);
        assertThat(List.of(list.totalBytes(0), list.totalBytes(1), list.totalBytes(2)))
                .containsExactly(16L, SgList.MAX_LENGTH + 5, 0L);
        assertThat(list.address(0, 0)).isEqualTo(0x1000);
        assertThat(list.length(0, 0)).isEqualTo(16);
        assertThat(list.lkey(0, 0)).isEqualTo(7);
        assertThat(list.address(1, 1)).isEqualTo(0x3000);
        assertThat(list.length(1, 0)).isEqualTo(SgList.MAX_LENGTH);
        assertThat(list.lkey(1, 1)).isEqualTo(9);
    }

    @Test
    void namesNothingThatIsNotThere() {
        ReceiveList list = ReceiveList.ofCapacity(2, 2).add(1, 0, 8, 0);
        assertThatThrownBy(() -> list.wrId(1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> list.sgeCount(-1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> list.totalBytes(1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> list.address(0, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> list.length(1, 0)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> list.lkey(0, -1)).isInstanceOf(IndexOutOfBoundsException.class);
        list.clear();
        assertThat(list.count()).isZero();
        assertThatThrownBy(() -> list.wrId(0)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void copiesThePiecesOfAReceive() {
        ReceiveList list = ReceiveList.ofCapacity(3, 2);
        list.add(10, 1, 2, 3).add(11, SgList.ofCapacity(2).add(4, 5, 6).add(7, 8, 9));
        list.add(12, SgList.ofCapacity(1));
        long[] addresses = new long[3];
        long[] lengths = new long[3];
        int[] lkeys = new int[3];
        assertThat(list.copySges(0, addresses, lengths, lkeys, 0)).isEqualTo(1);
        assertThat(list.copySges(1, addresses, lengths, lkeys, 1)).isEqualTo(2);
        assertThat(list.copySges(2, addresses, lengths, lkeys, 3)).isZero();
        assertThat(addresses).containsExactly(1, 4, 7);
        assertThat(lengths).containsExactly(2, 5, 8);
        assertThat(lkeys).containsExactly(3, 6, 9);
        assertThatThrownBy(() -> list.copySges(1, addresses, lengths, lkeys, 2))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> list.copySges(3, addresses, lengths, lkeys, 0))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void isFilledAnewAfterItWasCleared() {
        ReceiveList list = ReceiveList.ofCapacity(1, 2);
        list.add(1, SgList.ofCapacity(2).add(1, 2, 3).add(4, 5, 6));
        list.clear().add(2, 7, 8, 9);
        assertThat(list.wrId(0)).isEqualTo(2);
        assertThat(list.sgeCount(0)).isEqualTo(1);
        assertThat(list.totalBytes(0)).isEqualTo(8);
        assertThatThrownBy(() -> list.address(0, 1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void refusesWhatDoesNotFit() {
        ReceiveList list = ReceiveList.ofCapacity(1);
        SgList two = SgList.ofCapacity(2).add(0, 1, 0).add(1, 1, 0);
        assertThatThrownBy(() -> list.add(1, two))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 1 pieces, got 2");
        assertThatThrownBy(() -> list.add(1, 0, -1, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1");
        assertThatThrownBy(() -> list.add(1, 0, SgList.MAX_LENGTH + 1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThat(list.count()).isZero();
        list.add(1, 0, 0, 0);
        assertThatThrownBy(() -> list.add(2, 0, 0, 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("full");
        assertThatThrownBy(() -> list.add(2, SgList.ofCapacity(1))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void refusesCapacitiesOutOfRange() {
        for (int[] wrong : new int[][] {{0, 1}, {65_537, 1}, {1, 0}, {1, 257}, {65_536, 17}}) {
            assertThatThrownBy(() -> ReceiveList.ofCapacity(wrong[0], wrong[1]))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(ReceiveList.ofCapacity(65_536, 16).capacity()).isEqualTo(65_536);
    }

    @Test
    void recvAllGoesOnWhereThePostBeforeEnded() {
        Parts queue = new Parts(2, 1, 3);
        assertThat(queue.recvAll(list(6))).isEqualTo(6);
        assertThat(queue.asked).containsExactly("0+6", "2+4", "3+3");
    }

    @Test
    void recvAllSaysHowManyArePostedAndWhyNotTheRest() {
        assertThatThrownBy(() -> new Parts(2, 1, PostStatus.QUEUE_FULL).recvAll(list(6)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("post: only 3 of 6 receives of the list were posted; the others were refused: "
                        + PostStatus.text(PostStatus.QUEUE_FULL));
        assertThatThrownBy(() -> new Parts(0).recvAll(list(1))).isInstanceOf(IllegalStateException.class);
    }

    private static ReceiveList list(int count) {
        ReceiveList list = ReceiveList.ofCapacity(count);
        for (int i = 0; i < count; i++) {
            list.add(i, 0, 0, 0);
        }
        return list;
    }

    /** A queue that answers as told. */
    private static final class Parts implements ReceiveQueue {
        private final int[] answers;
        private final List<String> asked = new ArrayList<>();

        Parts(int... answers) {
            this.answers = answers;
        }

        @Override
        public int postRecv(long wrId, long address, long length, int lkey) {
            throw new AssertionError();
        }

        @Override
        public int postRecv(long wrId, SgList list) {
            throw new AssertionError();
        }

        @Override
        public int postRecv(ReceiveList list, int first, int count) {
            asked.add(first + "+" + count);
            return answers[asked.size() - 1];
        }
    }
}
