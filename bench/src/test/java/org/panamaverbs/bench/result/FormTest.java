package org.panamaverbs.bench.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** How thorough a run is, by the names that commands use. */
class FormTest {
    @Test
    void isNamedAsCommandsSayIt() {
        assertThat(Form.of("full")).isEqualTo(Form.FULL);
        assertThat(Form.of("quick")).isEqualTo(Form.QUICK);
        assertThatThrownBy(() -> Form.of("long")).hasMessage("no form is called long");
    }
}
