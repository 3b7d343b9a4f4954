package org.panamaverbs.bindings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What an include list names of a package. Members have the name that they have in Java behind those of the types that
 * they are in: {@code Libc.close$address}, {@code ibv_wc.status}, {@code ibv_sge.addr=} for the setter of a field.
 *
 * @param all types and members, of the header class as well
 */
record IncludeList(List<String> constants, List<String> functions, List<String> types, List<String> all) {
    static IncludeList read(Path file, String header) throws IOException {
        var list = new IncludeList(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        String kind = "";
        String name = "";
        for (String line : Files.readAllLines(file)) {
            if (line.isBlank() || line.startsWith("#") || line.startsWith("--")) {
                continue;
            }
            List<String> words = List.of(line.strip().split(" +", -1));
            if (!line.startsWith(" ")) {
                kind = words.get(0);
                name = words.get(1);
                words = words.subList(2, words.size());
                list.add(kind, name, header);
            }
            for (String word : words) {
                list.addMember(kind, name, header, word);
            }
        }
        return list;
    }

    private void add(String kind, String name, String header) {
        switch (kind) {
            case "constant" -> {
                constants.add(name);
                all.add(header + "." + name);
            }
            case "layout" -> all.add(header + "." + name);
            case "function" -> functions.add(name);
            case "struct", "union", "typedef" -> {
                types.add(name);
                all.add(name);
            }
            default -> throw new IllegalArgumentException("no kind of declaration: " + kind);
        }
    }

    private void addMember(String kind, String name, String header, String word) {
        if (!kind.equals("function")) {
            all.add(name + "." + word);
        } else if (word.equals("call")) {
            all.add(header + "." + name);
        } else {
            all.add(header + "." + name + (word.startsWith(".") ? "" : "$") + word);
        }
    }
}
