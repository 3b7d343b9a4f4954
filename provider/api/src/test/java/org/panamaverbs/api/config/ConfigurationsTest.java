package org.panamaverbs.api.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.panamaverbs.api.AddressHandleConfig;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.cm.MulticastConfig;
import org.panamaverbs.api.cm.RetryTimes;
import org.panamaverbs.api.cm.TlsConfig;
import org.panamaverbs.api.cm.outofband.OutOfBandConfig;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.ext.XrcDomainConfig;
import org.panamaverbs.memory.Access;

/** What all configurations have in common, so that a new field is complete or fails here. */
class ConfigurationsTest {

    static Stream<Object> configurations() {
        return Stream.of(
                QueuePairConfig.of(none(ProtectionDomain.class), none(CompletionQueue.class)),
                AddressHandleConfig.toLid(3),
                CompletionQueueConfig.of(16),
                ConnectionConfig.defaults(),
                ListenerConfig.defaults(),
                MulticastConfig.defaults(),
                OpenConfig.provider("iwarp"),
                OutOfBandConfig.defaults(),
                RetryTimes.defaults(),
                SharedReceiveQueueConfig.of(16),
                TlsConfig.of(context()),
                XrcDomainConfig.of(Path.of("domain")),
                Capabilities.builder().build());
    }

    @Test
    void aQueuePairGrantsItsPeerWhatItWasAskedToGrant() {
        QueuePairConfig config = QueuePairConfig.of(none(ProtectionDomain.class), none(CompletionQueue.class));
        assertThat(config.access()).isEmpty();
        assertThat(config.withAccess(Access.REMOTE_READ).access()).containsExactly(Access.REMOTE_READ);
        assertThat(config.withAllRemoteAccess().access())
                .containsExactlyInAnyOrder(
                        Access.REMOTE_WRITE,
                        Access.REMOTE_READ,
                        Access.REMOTE_ATOMIC,
                        Access.FLUSH_GLOBAL,
                        Access.FLUSH_PERSISTENT);
        assertThat(config.withAllRemoteAccess().withAccess().access()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("configurations")
    void nobodyElseCreatesThem(Object configuration) {
        assertThat(configuration.getClass().getModifiers() & Modifier.FINAL).isNotZero();
        assertThat(configuration.getClass().getDeclaredConstructors())
                .extracting(Constructor::getModifiers)
                .allMatch(Modifier::isPrivate);
    }

    /** A field that is missing in the list would be in no comparison. */
    @ParameterizedTest
    @MethodSource("configurations")
    void eachFieldIsListedAndHasAnAccessor(Object configuration) throws ReflectiveOperationException {
        List<String> names = fields(configuration).map(Field::getName).toList();
        Field list = configuration.getClass().getDeclaredField("FIELDS");
        list.setAccessible(true);
        assertThat(((Fields<?>) list.get(null)).names()).isEqualTo(names);
        for (String name : names) {
            assertThat(configuration.getClass().getMethod(name).getParameterCount())
                    .isZero();
        }
    }

    /** Each method that takes one value changes the copy alone, to what compares and prints differently. */
    @ParameterizedTest
    @MethodSource("configurations")
    void copiesDifferFromTheirOriginal(Object configuration) throws ReflectiveOperationException {
        String before = configuration.toString();
        for (Method with : configuration.getClass().getMethods()) {
            Object value = with.getParameterCount() == 1 ? SAMPLES.get(with.getParameterTypes()[0]) : null;
            value = with.getName().equals("withPathMtu") ? 512 : value;
            if (!with.getName().startsWith("with") || value == null) {
                continue;
            }
            Object copy = with.invoke(configuration, value);
            assertThat(copy).as(with.getName()).isNotEqualTo(configuration);
            assertThat(copy.toString()).isNotEqualTo(before);
            Object again = with.invoke(configuration, value);
            assertThat(again).isEqualTo(copy).hasSameHashCodeAs(copy);
        }
        assertThat(configuration).hasToString(before);
    }

    private static final Map<Class<?>, Object> SAMPLES = Map.of(
            int.class,
            2,
            QueuePairType.class,
            QueuePairType.UD,
            XrcDomainConfig.Opening.class,
            XrcDomainConfig.Opening.NEW,
            TlsConfig.ClientAuthentication.class,
            TlsConfig.ClientAuthentication.NEED,
            RetryTimes.class,
            RetryTimes.ofCodes(1, 2),
            String.class,
            "name",
            CompletionQueue.class,
            none(CompletionQueue.class),
            SharedReceiveQueue.class,
            none(SharedReceiveQueue.class));

    private static Stream<Field> fields(Object configuration) {
        return Arrays.stream(configuration.getClass().getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()) && !field.isSynthetic());
    }

    private static SSLContext context() {
        try {
            return SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @SuppressWarnings("ReferenceEquality") // a proxy is equal to itself alone
    private static <T> T none(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> type.getSimpleName() + System.identityHashCode(proxy);
                }));
    }
}
