package org.panamaverbs.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a status says, by each of its words. */
class PostStatusTest {
    static IntStream refusals() throws IllegalAccessException {
        IntStream.Builder found = IntStream.builder();
        for (Field field : PostStatus.class.getFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getType() == int.class && field.getInt(null) < 0) {
                found.add(field.getInt(null));
            }
        }
        return IntStream.concat(found.build(), IntStream.of(PostStatus.ofErrno(12)));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void eachRefusalIsOne(int status) {
        assertThat(PostStatus.isRefused(status)).isTrue();
        assertThat(PostStatus.isFull(status)).isEqualTo(status == PostStatus.QUEUE_FULL);
        assertThatThrownBy(() -> PostStatus.check(status))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(PostStatus.text(status));
    }

    @Test
    void whatIsTakenIsNoRefusal() {
        for (int status : new int[] {PostStatus.ACCEPTED, 1, 64}) {
            assertThat(PostStatus.isRefused(status)).isFalse();
            assertThat(PostStatus.isFull(status)).isFalse();
            assertThat(PostStatus.check(status)).isEqualTo(status);
        }
    }

    @Test
    void theDriversErrorIsKept() throws IllegalAccessException {
        assertThat(PostStatus.errno(PostStatus.ofErrno(12))).isEqualTo(12);
        assertThat(PostStatus.text(PostStatus.ofErrno(12))).contains("errno 12");
        assertThat(refusals().filter(status -> status > PostStatus.DEVICE_REFUSED))
                .allMatch(status -> PostStatus.errno(status) == 0);
    }
}
