package org.panamaverbs.api.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.device.Capabilities.Feature;

class CapabilitiesTest {
    private static final Capabilities NOTHING = Capabilities.builder().build();

    static Stream<Method> setters() {
        return Arrays.stream(Capabilities.Builder.class.getDeclaredMethods())
                .filter(method -> method.getReturnType() == Capabilities.Builder.class && !method.isVarArgs());
    }

    /** Each number that is set is that number and no other. */
    @ParameterizedTest
    @MethodSource("setters")
    void setsWhatItIsNamedAfter(Method setter) throws ReflectiveOperationException {
        Object value = value(setter);
        Capabilities.Builder builder = Capabilities.builder();
        Object initial = Capabilities.class.getMethod(setter.getName()).invoke(NOTHING);

        setter.invoke(builder, value);
        Capabilities built = builder.build();

        assertThat(Capabilities.class.getMethod(setter.getName()).invoke(built)).isEqualTo(value);
        assertThat(built).isNotEqualTo(NOTHING).isEqualTo(built.toBuilder().build());
        Capabilities.Builder back = built.toBuilder();
        setter.invoke(back, initial);
        boolean derived = setter.getName().equals("maxSrq"); // maxSrqSge follows it
        assertThat(derived ? NOTHING : back.build()).isEqualTo(NOTHING);
    }

    private static Object value(Method setter) {
        return switch (setter.getName()) {
            case "inlineBytesByType" -> Map.of(QueuePairType.UD, 7);
            case "queuePairTypes" -> Set.of(QueuePairType.UD);
            case "features" -> Set.of(Feature.TLS);
            default -> setter.getParameterTypes()[0] == long.class ? (Object) 7L : (Object) 7;
        };
    }
}
