package org.panamaverbs.bindings;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** All numbers of {@link LinuxFiles} and {@link Errno}, each with the C expression that must agree. */
final class FileFacts {
    private static final Map<String, String> EXPRESSIONS = Map.ofEntries(
            Map.entry("FLOCK_BYTES", "sizeof(struct flock)"),
            Map.entry("FLOCK_TYPE", "offsetof(struct flock, l_type)"),
            Map.entry("FLOCK_WHENCE", "offsetof(struct flock, l_whence)"),
            Map.entry("FLOCK_START", "offsetof(struct flock, l_start)"),
            Map.entry("FLOCK_LENGTH", "offsetof(struct flock, l_len)"),
            Map.entry("STATFS_BYTES", "sizeof(struct statfs)"),
            Map.entry("STATFS_TYPE", "offsetof(struct statfs, f_type)"),
            Map.entry("UCRED_BYTES", "sizeof(struct ucred)"),
            Map.entry("UCRED_PID", "offsetof(struct ucred, pid)"),
            Map.entry("UCRED_UID", "offsetof(struct ucred, uid)"));

    private FileFacts() {}

    static Facts all() throws IllegalAccessException {
        List<Fact> facts = new ArrayList<>();
        for (Field field : LinuxFiles.class.getFields()) {
            String expression = EXPRESSIONS.getOrDefault(field.getName(), field.getName());
            facts.add(new Fact(expression, field.getLong(null), false));
        }
        for (Field field : Errno.class.getFields()) {
            if (field.getType() == int.class) {
                facts.add(new Fact(field.getName(), field.getLong(null), false));
            }
        }
        int constants = facts.size() - EXPRESSIONS.size();
        return new Facts(facts, 3, EXPRESSIONS.size() - 3, constants);
    }
}
