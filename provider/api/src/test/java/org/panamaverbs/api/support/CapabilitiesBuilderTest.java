package org.panamaverbs.api.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.panamaverbs.api.Capabilities;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.api.QueuePairType;

class CapabilitiesBuilderTest {
    static RecordComponent[] components() {
        return Capabilities.class.getRecordComponents();
    }

    /** Each number that is set is that number and no other. */
    @ParameterizedTest
    @MethodSource("components")
    void setsWhatItIsNamedAfter(RecordComponent component) throws ReflectiveOperationException {
        Object value = value(component);
        CapabilitiesBuilder builder = new CapabilitiesBuilder();
        Method setter = CapabilitiesBuilder.class.getMethod(component.getName(), component.getType());

        Capabilities built = ((CapabilitiesBuilder) setter.invoke(builder, value)).build();

        Capabilities nothing = new CapabilitiesBuilder().build();
        for (RecordComponent each : components()) {
            Object expected = each.getName().equals(component.getName())
                    ? value
                    : each.getAccessor().invoke(nothing);
            assertThat(each.getAccessor().invoke(built)).as(each.getName()).isEqualTo(expected);
        }
    }

    private static Object value(RecordComponent component) {
        return switch (component.getName()) {
            case "inlineBytesByType" -> Map.of(QueuePairType.UD, 7);
            case "queuePairTypes" -> Set.of(QueuePairType.UD);
            case "features" -> Set.of(Feature.TLS);
            default -> component.getType() == long.class ? (Object) 7L : (Object) 7;
        };
    }
}
