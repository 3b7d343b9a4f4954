package org.panamaverbs.iwarp.net.unix;

import java.io.IOException;
import java.util.function.IntFunction;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.libc.Libc;

/** Exceptions for system calls that fail: call, object, error number, and what helps. */
final class CallErrors {
    private CallErrors() {}

    /** Returns the exception for {@code call} of {@code object}, which answered {@code result}, the negative errno. */
    static IOException of(String call, Object object, long result) {
        return of(call, object, result, CallErrors::remedy);
    }

    private static IOException of(String call, Object object, long result, IntFunction<String> remedy) {
        int errno = (int) -result;
        return new IOException(call + " of " + object + ": " + Errno.describe(errno) + remedy.apply(errno));
    }

    /** Returns {@code result}, unless it is a negative error number. */
    static long check(String call, Object object, long result) throws IOException {
        return check(call, object, result, CallErrors::remedy);
    }

    /** As the other, where {@code remedy} says what helps. */
    static long check(String call, Object object, long result, IntFunction<String> remedy) throws IOException {
        if (result < 0) {
            throw of(call, object, result, remedy);
        }
        return result;
    }

    /** Returns what helps against an error number, behind a semicolon; empty if nothing is known. */
    static String remedy(int errno) {
        if (errno == Libc.EMFILE()) {
            return "; remedy: raise the limit of open files (ulimit -n)";
        } else if (errno == Libc.ENFILE()) {
            return "; remedy: raise fs.file-max";
        } else if (errno == Libc.ENOMEM() || errno == Libc.ENOSPC()) {
            return "; remedy: give the process or its control group more memory, or use smaller rings";
        } else if (errno == Errno.EFBIG) {
            return "; remedy: raise the limit of the size of files (ulimit -f), which counts for memory files too";
        } else if (errno == Libc.ENOSYS()) {
            return ": a kernel before Linux 5.1, or a filter of system calls; remedy: update the kernel, or allow the"
                    + " call in the filter (seccomp)";
        } else if (errno == Libc.EPERM() || errno == Libc.EACCES()) {
            return "; remedy: check owner, mode and filters of system calls (seccomp, an LSM)";
        } else if (errno == Errno.ETOOMANYREFS) {
            return ": a program of this user sends descriptors that no process receives; remedy: end it, or raise the"
                    + " limit of open files (ulimit -n)";
        }
        return "";
    }
}
