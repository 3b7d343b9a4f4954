package org.panamaverbs.testkit.faults;

import java.util.Set;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * Finds the places where a class allocates and puts a call of {@link AllocationFaults#at} before each: objects, arrays,
 * lambdas that keep something, texts that are put together, and calls of the Java library that allocate on the heap or
 * beside it.
 */
final class AllocationPlaces extends ClassVisitor {
    private static final String FAULTS = Type.getInternalName(AllocationFaults.class);
    // Of java.*: what makes memory, views, copies, or entries of collections.
    private static final Set<String> ALLOCATING = Set.of(
            "add",
            "addAll",
            "addFirst",
            "addLast",
            "allocate",
            "allocateDirect",
            "allocateFrom",
            "asByteBuffer",
            "asSlice",
            "clone",
            "compute",
            "computeIfAbsent",
            "concat",
            "copyOf",
            "copyOfRange",
            "duplicate",
            "execute",
            "format",
            "formatted",
            "iterator",
            "merge",
            "of",
            "ofAddress",
            "ofAuto",
            "ofBuffer",
            "ofConfined",
            "ofShared",
            "offer",
            "push",
            "put",
            "putIfAbsent",
            "reinterpret",
            "reversed",
            "slice",
            "start",
            "stream",
            "toArray",
            "valueOf",
            "values");

    private String owner = "";

    AllocationPlaces(ClassVisitor next) {
        super(Opcodes.ASM9, next);
    }

    @Override
    public void visit(
            int version,
            int access,
            String name,
            @Nullable String signature,
            @Nullable String superName,
            String @Nullable [] interfaces) {
        owner = name.substring(name.lastIndexOf('/') + 1);
        super.visit(version, access, name, signature, superName, interfaces);
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
            int access, String name, String descriptor, @Nullable String signature, String @Nullable [] exceptions) {
        MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
        // What fails in an initializer of a class makes it useless for ever: no program survives that.
        return next == null || name.equals("<clinit>") ? next : new Method(next, owner + "." + name);
    }

    /** One method. */
    private static final class Method extends MethodVisitor {
        private final String method;
        private int line;
        private int more;

        Method(MethodVisitor next, String method) {
            super(Opcodes.ASM9, next);
            this.method = method;
        }

        private void place(String what) {
            int number =
                    AllocationFaults.place(method + ":" + line + (more++ == 0 ? "" : "+" + (more - 1)) + " " + what);
            super.visitLdcInsn(number);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, FAULTS, "at", "(I)V", false);
        }

        @Override
        public void visitLineNumber(int number, Label start) {
            line = number;
            more = 0;
            super.visitLineNumber(number, start);
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            String name = type.substring(type.lastIndexOf('/') + 1);
            if (opcode == Opcodes.ANEWARRAY) {
                place("array of " + name);
            }
            super.visitTypeInsn(opcode, type);
            if (opcode == Opcodes.NEW) {
                // Behind it: frames name an object that is not initialized yet by where this instruction is.
                place("new " + name);
            }
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            if (opcode == Opcodes.NEWARRAY) {
                place("array");
            }
            super.visitIntInsn(opcode, operand);
        }

        @Override
        public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
            place("arrays");
            super.visitMultiANewArrayInsn(descriptor, dimensions);
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            if (Type.getArgumentTypes(descriptor).length > 0) {
                place("lambda or text " + name);
            }
            super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
        }

        @Override
        public void visitMethodInsn(int opcode, String type, String name, String descriptor, boolean isInterface) {
            if (ALLOCATING.contains(name)
                    && (type.startsWith("java/") || type.startsWith("[") || name.equals("values"))) {
                place(type.substring(type.lastIndexOf('/') + 1) + "." + name);
            }
            super.visitMethodInsn(opcode, type, name, descriptor, isInterface);
        }
    }
}
