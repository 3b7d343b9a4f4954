package org.panamaverbs.api.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CreationTest {
    private final List<String> undone = new ArrayList<>();

    @Test
    void keepsWhatWasAdopted() {
        String made = Creation.of(() -> "native", created -> created + " object", undone::add);

        assertThat(made).isEqualTo("native object");
        assertThat(undone).isEmpty();
    }

    @Test
    void takesBackWhatIsNotAdoptedWhateverItFailsBy() {
        for (Throwable failure : List.of(new IllegalStateException("no"), new OutOfMemoryError("no"))) {
            undone.clear();
            assertThatThrownBy(() -> Creation.of(() -> "native", made -> fail(failure), undone::add))
                    .isSameAs(failure);
            assertThat(undone).containsExactly("native");
        }
    }

    @Test
    void hasNothingToTakeBackIfNothingWasCreated() {
        IllegalStateException failure = new IllegalStateException("no");

        assertThatThrownBy(() -> Creation.of(() -> fail(failure), made -> made, undone::add))
                .isSameAs(failure);
        assertThat(undone).isEmpty();
    }

    @Test
    void tellsTheFirstFailureAndSuppressesThatOfUndoing() {
        for (Throwable also : List.of(new IllegalStateException("nor this"), new StackOverflowError("nor this"))) {
            IllegalStateException failure = new IllegalStateException("no");

            assertThatThrownBy(() -> Creation.of(() -> "native", made -> fail(failure), made -> fail(also)))
                    .isSameAs(failure)
                    .hasSuppressedException(also);
        }
    }

    @Test
    void undoesOnceThereIsMemoryForIt() {
        OutOfMemoryError failure = new OutOfMemoryError("no");
        AtomicInteger failures = new AtomicInteger(3);

        assertThatThrownBy(() -> Creation.of(() -> "native", made -> fail(failure), made -> {
                    if (failures.getAndDecrement() > 0) {
                        throw failure;
                    }
                    undone.add(made);
                }))
                .isSameAs(failure);
        assertThat(undone).containsExactly("native");
    }

    @Test
    void waitsForMemoryAlsoWhereItsThreadIsInterrupted() {
        IllegalStateException failure = new IllegalStateException("no");
        OutOfMemoryError also = new OutOfMemoryError("nor this");
        AtomicInteger tries = new AtomicInteger();
        long begin = System.nanoTime();
        Thread.currentThread().interrupt();

        try {
            assertThatThrownBy(() -> Creation.of(() -> "native", made -> fail(failure), made -> {
                        tries.incrementAndGet();
                        throw also;
                    }))
                    .isSameAs(failure)
                    .hasSuppressedException(also);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(tries).hasValueGreaterThan(1);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(50));
    }

    private static String fail(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) failure;
    }
}
