package org.panamaverbs.bindings;

import java.io.IOException;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.UnionLayout;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** All sizes, offsets and constants that a generated package claims, each with the C expression that must agree. */
final class GeneratedFacts {
    // rdma-core after 44 appends to these: what the bindings know stays where it is.
    private static final Set<String> GROWING_AT_THE_END = Set.of("ibv_port_attr", "ibv_qp_ex");
    // infiniband/verbs.h: new members of verbs_context go in front, so offsets count from the end.
    private static final String GROWING_AT_THE_FRONT = "verbs_context";

    private static final String ANONYMOUS = "$anon$";

    private final List<Fact> facts = new ArrayList<>();
    private int structs;
    private int fields;
    private int constants;

    private GeneratedFacts() {}

    static Facts of(Class<?> header, IncludeList list) throws IOException, ReflectiveOperationException {
        var result = new GeneratedFacts();
        for (Class<?> type : typesBeside(header)) {
            if (type != header) {
                result.addType(type);
            }
        }
        for (String constant : list.constants()) {
            result.addConstant(header, constant);
        }
        return new Facts(result.facts, result.structs, result.fields, result.constants);
    }

    /** Returns the types of the package of {@code header}, with it and without those inside of others. */
    static List<Class<?>> typesBeside(Class<?> header) throws IOException, ClassNotFoundException {
        URI file =
                URI.create(header.getResource(header.getSimpleName() + ".class").toString());
        List<Class<?>> types = new ArrayList<>();
        try (Stream<Path> siblings = Files.list(Path.of(file).getParent())) {
            for (Path sibling : siblings.sorted().toList()) {
                String name = sibling.getFileName().toString().replace(".class", "");
                if (!name.contains("$") && !name.equals("package-info")) {
                    types.add(Class.forName(header.getPackageName() + "." + name));
                }
            }
        }
        return types;
    }

    private void addType(Class<?> type) throws ReflectiveOperationException {
        GroupLayout layout = (GroupLayout) type.getMethod("layout").invoke(null);
        String name = type.getSimpleName();
        String cType = cType(name, layout);
        boolean grows = GROWING_AT_THE_END.contains(name) || GROWING_AT_THE_FRONT.equals(name);
        facts.add(new Fact("sizeof(" + cType + ")", layout.byteSize(), grows));
        structs++;
        addMembers(cType, layout, layout, 0, "");
    }

    private static String cType(String name, GroupLayout layout) {
        return name.endsWith("_t") ? name : (layout instanceof UnionLayout ? "union " : "struct ") + name;
    }

    private void addMembers(String cType, GroupLayout outermost, GroupLayout group, long base, String prefix) {
        long offset = base;
        for (MemoryLayout member : group.memberLayouts()) {
            String name = member.name().orElse(ANONYMOUS);
            if (member instanceof GroupLayout inner && name.startsWith(ANONYMOUS)) {
                addMembers(cType, outermost, inner, offset, prefix);
            } else if (!(member instanceof PaddingLayout)) {
                addField(cType, outermost, prefix + name, offset, member.byteSize());
                if (member instanceof GroupLayout inner) {
                    addMembers(cType, outermost, inner, offset, prefix + name + ".");
                }
            }
            offset += group instanceof UnionLayout ? 0 : member.byteSize();
        }
    }

    private void addField(String cType, GroupLayout outermost, String path, long offset, long size) {
        String offsetOf = "offsetof(" + cType + ", " + path + ")";
        if (cType.endsWith(" " + GROWING_AT_THE_FRONT)) {
            facts.add(new Fact("sizeof(" + cType + ") - " + offsetOf, outermost.byteSize() - offset, false));
        } else {
            facts.add(new Fact(offsetOf, offset, false));
        }
        if (size != 0) { // a flexible array has an offset and no size
            facts.add(new Fact("sizeof(((" + cType + " *) 0)->" + path + ")", size, false));
        }
        fields++;
    }

    private void addConstant(Class<?> header, String name) throws ReflectiveOperationException {
        Object value = header.getMethod(name).invoke(null);
        facts.add(
                switch (value) {
                    case Integer i -> new Fact("(int) (" + name + ")", i, false);
                    case Long l -> new Fact(name, l, false);
                    case MemorySegment pointer -> new Fact(name, pointer.address(), false);
                    default -> throw new AssertionError(name + " is " + value);
                });
        constants++;
    }
}
