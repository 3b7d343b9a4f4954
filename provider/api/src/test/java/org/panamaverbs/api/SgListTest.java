package org.panamaverbs.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SgListTest {
    @Test
    void keepsPiecesInOrderAndTheirSum() {
        SgList list = SgList.ofCapacity(2).add(0x1000, 10, 7).add(0x2000, SgList.MAX_LENGTH, 8);
        assertThat(list.count()).isEqualTo(2);
        assertThat(list.totalBytes()).isEqualTo(10 + SgList.MAX_LENGTH);
        assertThat(list.address(1)).isEqualTo(0x2000);
        assertThat(list.length(1)).isEqualTo(SgList.MAX_LENGTH);
        assertThat(list.lkey(0)).isEqualTo(7);
        assertThat(list.clear().totalBytes()).isZero();
        assertThatThrownBy(() -> list.address(0)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void refusesWhatDoesNotFit() {
        SgList list = SgList.ofCapacity(1);
        assertThatThrownBy(() -> list.add(0, -1, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1");
        assertThatThrownBy(() -> list.add(0, SgList.MAX_LENGTH + 1, 0)).isInstanceOf(IllegalArgumentException.class);
        list.add(0, 0, 0);
        assertThatThrownBy(() -> list.add(0, 0, 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("full");
        assertThatThrownBy(() -> SgList.ofCapacity(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> SgList.ofCapacity(257)).isInstanceOf(IllegalArgumentException.class);
    }
}
