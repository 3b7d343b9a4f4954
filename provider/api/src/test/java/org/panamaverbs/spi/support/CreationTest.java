package org.panamaverbs.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
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
        for (Throwable also : List.of(new IllegalStateException("nor this"), new OutOfMemoryError("nor this"))) {
            IllegalStateException failure = new IllegalStateException("no");

            assertThatThrownBy(() -> Creation.of(() -> "native", made -> fail(failure), made -> fail(also)))
                    .isSameAs(failure)
                    .hasSuppressedException(also);
        }
    }

    private static String fail(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) failure;
    }
}
