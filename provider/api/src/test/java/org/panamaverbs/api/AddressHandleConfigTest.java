package org.panamaverbs.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.RecordComponent;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressHandleConfigTest {
    private static final int VALUE = 7;

    /** Each value that is set is that value and no other. */
    @ParameterizedTest
    @ValueSource(
            strings = {"lid", "gidIndex", "port", "serviceLevel", "flowLabel", "hopLimit", "trafficClass", "staticRate"
            })
    void setsWhatItIsNamedAfter(String name) throws ReflectiveOperationException {
        AddressHandleConfig before = AddressHandleConfig.to(new byte[16]);
        String wither = "with" + Character.toUpperCase(name.charAt(0)) + name.substring(1);

        Object after = AddressHandleConfig.class.getMethod(wither, int.class).invoke(before, VALUE);

        for (RecordComponent each : AddressHandleConfig.class.getRecordComponents()) {
            Object expected =
                    each.getName().equals(name) ? VALUE : each.getAccessor().invoke(before);
            assertThat(each.getAccessor().invoke(after)).as(each.getName()).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 0xBFFF})
    void aLidNeedsNoGid(int lid) {
        AddressHandleConfig config = AddressHandleConfig.toLid(lid);

        assertThat(config.gid()).isEmpty();
        assertThat(config.lid()).isEqualTo(lid);
        assertThat(config.port()).isEqualTo(1);
    }
}
