package org.panamaverbs.ibverbs.call;

import org.panamaverbs.api.ResourceException;
import org.panamaverbs.bindings.Errno;

/** What a failed call becomes: the call, the object, errno and its text, and the likely remedy. */
public final class Failure {
    private Failure() {}

    /** Returns the exception for {@code call}, which failed with {@code errno} on {@code object}. */
    public static ResourceException of(String call, String object, int errno) {
        return new ResourceException(call, text(call, object, errno), errno);
    }

    /** Returns the exception with a remedy of its own. */
    public static ResourceException of(String call, String object, int errno, String remedy) {
        return new ResourceException(call, object + ": " + Errno.describe(errno) + "; " + remedy, errno);
    }

    /**
     * Returns the exception for a call that no query tells of beforehand: EOPNOTSUPP and ENOSYS say that the device has
     * no such thing.
     */
    public static RuntimeException orUnsupported(String call, String object, int errno) {
        return errno == Errno.EOPNOTSUPP || errno == Errno.ENOSYS
                ? new UnsupportedOperationException(text(call, object, errno))
                : of(call, object, errno);
    }

    /** Returns the text for {@code call}, which failed with {@code errno} on {@code object}. */
    public static String text(String call, String object, int errno) {
        return object + ": " + Errno.describe(errno) + "; " + remedy(call, errno);
    }

    private static String remedy(String call, int errno) {
        boolean registration = call.startsWith("ibv_reg_");
        return switch (errno) {
            case Errno.ENOMEM ->
                "raise the memlock limit (ulimit -l is " + MemlockLimit.text()
                        + "; limits.conf, LimitMEMLOCK= or --ulimit memlock=-1), or ask for less";
            case Errno.EACCES, Errno.EPERM ->
                registration
                        ? "the rights ask for more than the memory allows, or the process lacks permission"
                        : "permission: the process needs read and write access to /dev/infiniband/uverbs* and rdma_cm";
            case Errno.ENOSYS, Errno.EOPNOTSUPP -> "the device or its driver does not support it";
            case Errno.ENODEV, Errno.EIO -> "the device is gone or failed: see `rdma link` and dmesg";
            case Errno.EMFILE -> "too many open files: raise ulimit -n";
            case Errno.EBUSY -> "something still uses it: close that first";
            case Errno.EINVAL ->
                call.startsWith("ibv_create_qp")
                        // mlx5_calc_sq_size() of rdma-core and its like in other providers
                        ? "ask for fewer sends, fewer pieces or less inline data: these multiply, and a device limits"
                                + " the product below what it says of each (`verbs devinfo -v`)"
                        : "an argument is beyond what the device takes: `verbs devinfo -v` shows its limits";
            case Errno.EFAULT ->
                registration
                        ? "the memory is not mapped, or a file is mapped to it and Linux does not pin that: before 6.2"
                                + " none read-only (map it writable), from 6.5 on none to be written but of tmpfs or hugetlbfs"
                        : "the memory is not mapped or not readable";
            default -> "see `" + call + "(3)` and dmesg";
        };
    }
}
