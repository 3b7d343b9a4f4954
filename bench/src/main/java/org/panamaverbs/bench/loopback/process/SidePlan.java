package org.panamaverbs.bench.loopback.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that is to be started, with the class path of this one.
 *
 * @param name for people
 * @param processor the only one that it has
 * @param limitSeconds after which it is ended; one that is left alone ends with its input
 * @param options of the virtual machine, beside those that all have
 * @param main whose method is run
 * @param arguments of that
 */
public record SidePlan(
        String name, int processor, int limitSeconds, List<String> options, Class<?> main, List<String> arguments) {
    /** Returns the same with another argument. */
    SidePlan and(String argument) {
        List<String> more = new ArrayList<>(arguments);
        more.add(argument);
        return new SidePlan(name, processor, limitSeconds, options, main, more);
    }

    List<String> command() {
        List<String> command =
                new ArrayList<>(List.of("timeout", "-k", "2", "" + limitSeconds, "taskset", "-c", "" + processor));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:-UsePerfData", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        return command;
    }
}
