package org.panamaverbs.rules;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A program that has some classes link the C functions which they call, and prints each shape that was linked with its
 * options: a line each, as an entry of {@code foreign.downcalls} in GraalVM's reachability-metadata.json. It needs a
 * JVM of its own with {@code --add-opens java.base/jdk.internal.foreign.abi=ALL-UNNAMED}, as it reads what the JDK
 * keeps of handles that it has made.
 *
 * <p>A class links when it is initialized, or when an object is made, or its constants link when they are called first:
 * of classes with a handle in a field and a constructor without arguments one is made, and of constants with a method
 * {@code handle()} this is called. What cannot be linked here is left out, with a line at standard error.
 */
public final class LinkedDowncalls {
    private LinkedDowncalls() {}

    /** Prints what the classes named by {@code names} link. */
    public static void main(String[] names) throws ReflectiveOperationException {
        for (String name : names) {
            link(name);
        }
        linked().forEach(System.out::println);
    }

    private static void link(String name) {
        try {
            Class<?> type = Class.forName(name);
            boolean links = Arrays.stream(type.getDeclaredFields())
                    .anyMatch(
                            field -> field.getType() == MethodHandle.class && !Modifier.isStatic(field.getModifiers()));
            if (links) {
                var constructor = type.getDeclaredConstructor();
                constructor.setAccessible(true);
                constructor.newInstance();
            }
            for (Field field : type.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) && hasMethod(field.getType(), "handle")) {
                    field.setAccessible(true);
                    linkNow(field);
                }
            }
        } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
            System.err.println(name + " links nothing here: " + e);
        }
    }

    private static boolean hasMethod(Class<?> type, String name) {
        return Arrays.stream(type.getDeclaredMethods())
                .anyMatch(method -> method.getName().equals(name)
                        && method.getParameterCount() == 0
                        && method.getReturnType() == MethodHandle.class);
    }

    private static void linkNow(Field field) throws ReflectiveOperationException {
        Method handle = field.getType().getDeclaredMethod("handle");
        handle.setAccessible(true);
        try {
            handle.invoke(field.get(null));
        } catch (InvocationTargetException e) {
            System.err.println(field + " is not linked here: " + e.getCause());
        }
    }

    private static Set<String> linked() throws ReflectiveOperationException {
        Object linker = Linker.nativeLinker();
        Object kept = read(linker, "DOWNCALL_CACHE");
        Set<String> entries = new TreeSet<>();
        for (Object request : ((Map<?, ?>) read(kept, "cache")).keySet()) {
            entries.add(entry((FunctionDescriptor) read(request, "descriptor"), read(request, "options")));
        }
        return entries;
    }

    private static Object read(Object object, String name) throws ReflectiveOperationException {
        for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    field.setAccessible(true);
                    return field.get(object);
                }
            }
        }
        throw new NoSuchFieldException(name + " in " + object.getClass() + ": this JDK keeps handles in another way");
    }

    private static String entry(FunctionDescriptor shape, Object options) throws ReflectiveOperationException {
        String parameters = shape.argumentLayouts().stream()
                .map(layout -> '"' + type(layout) + '"')
                .collect(Collectors.joining(", ", "[", "]"));
        String result = shape.returnLayout().map(LinkedDowncalls::type).orElse("void");
        List<String> chosen = new ArrayList<>();
        if ((boolean) ask(options, "hasCapturedCallState")) {
            chosen.add("\"captureCallState\": true");
        }
        if ((boolean) ask(options, "isCritical")) {
            chosen.add("\"critical\": {\"allowHeapAccess\": " + ask(options, "allowsHeapAccess") + "}");
        }
        if ((boolean) ask(options, "isVariadicFunction")) {
            chosen.add("\"firstVariadicArg\": " + ask(options, "firstVariadicArgIndex"));
        }
        return "{\"returnType\": \"" + result + "\", \"parameterTypes\": " + parameters
                + (chosen.isEmpty() ? "" : ", \"options\": {" + String.join(", ", chosen) + "}") + "}";
    }

    private static Object ask(Object options, String name) throws ReflectiveOperationException {
        Method method = options.getClass().getDeclaredMethod(name);
        method.setAccessible(true);
        Object answer = method.invoke(options);
        return answer instanceof Optional<?> optional ? optional.orElseThrow() : answer;
    }

    /** Returns the name of {@code layout} in the metadata: that of JNI, whose sizes are the same on each platform. */
    private static String type(MemoryLayout layout) {
        return switch (layout) {
            case AddressLayout ignored -> "void*";
            case ValueLayout value -> "j" + value.carrier().getName().toLowerCase(Locale.ROOT);
            default -> throw new IllegalArgumentException("no name for " + layout + " passed by value");
        };
    }
}
