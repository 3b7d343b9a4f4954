package org.panamaverbs.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.panamaverbs.rules.ArchitectureRules;

/** Each wait ends at its deadline as {@link Deadline} says; a new one has to be sorted in here. */
class DeadlineRuleTest {
    private static final JavaClasses CLASSES = ArchitectureRules.importer().importPackages("org.panamaverbs.api..");

    /** What others may begin or not: none is an answer. */
    private static final Set<String> ANSWER = Set.of(
            "CompletionChannel.await",
            "EventQueue.await",
            "Verbs.asyncEvent",
            "Connection.awaitDisconnect",
            "Listener.poll",
            "DatagramListener.poll");

    /** What was begun or is required; those that begin something without waiting hand the deadline on. */
    private static final Set<String> THROW = Set.of(
            "CompletionQueue.poll",
            "CompletionWait.await",
            "RequestWait.await",
            "Verbs.connect",
            "Verbs.beginConnect",
            "Verbs.connectDatagrams",
            "Verbs.joinMulticast",
            "Connection.disconnect",
            "Connection.beginDisconnect",
            "ConnectionRequest.accept",
            "ConnectionRequest.beginAccept",
            "Listener.accept",
            "DatagramListener.accept",
            "PendingConnection.await",
            "Ways.first",
            "Ways$Way.connect");

    private static final Set<String> OUTCOME = Set.of(
            "EmulatedMaskedAtomics.fetchAdd",
            "EmulatedMaskedAtomics.cmpSwap",
            "EmulatedMaskedAtomics.swap",
            "OutstandingSends.settle",
            "WarmUp.drive");

    @Test
    void eachWaitHasItsEnd() {
        Set<String> sorted = new TreeSet<>(ANSWER);
        sorted.addAll(THROW);
        sorted.addAll(OUTCOME);
        Set<String> found = CLASSES.stream()
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .flatMap(type -> Arrays.stream(type.reflect().getDeclaredMethods()))
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
                .filter(method -> Arrays.asList(method.getParameterTypes()).contains(Deadline.class))
                .peek(DeadlineRuleTest::canSayNone)
                .map(DeadlineRuleTest::name)
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(found).isEqualTo(sorted);
    }

    /** An answer has to be able to say that there is none; what throws needs no such value. */
    private static void canSayNone(Method method) {
        Class<?> result = method.getReturnType();
        boolean can = result == Optional.class || result == boolean.class;
        if (ANSWER.contains(name(method))) {
            assertThat(can || result == int.class).as(method.toString()).isTrue();
        } else if (THROW.contains(name(method))) {
            assertThat(can).as(method.toString()).isFalse();
        }
    }

    private static String name(Method method) {
        String type = method.getDeclaringClass().getName();
        return type.substring(type.lastIndexOf('.') + 1) + "." + method.getName();
    }
}
