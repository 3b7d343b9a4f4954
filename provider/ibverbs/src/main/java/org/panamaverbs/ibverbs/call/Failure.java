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
        return new ResourceException(call, object + ": " + Errno.describe(errno) + "; remedy: " + remedy, errno);
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
        return object + ": " + Errno.describe(errno) + "; remedy: " + remedy(call, errno);
    }

    private static String remedy(String call, int errno) {
        boolean registration = call.startsWith("ibv_reg_");
        return switch (errno) {
            case Errno.ENOMEM ->
                "raise the memlock limit (ulimit -l is " + MemlockLimit.text()
                        + "; limits.conf, LimitMEMLOCK= or --ulimit memlock=-1), or request less";
            case Errno.EACCES, Errno.EPERM ->
                registration
                        ? "request only rights that the memory and the process have"
                        : "give the process read and write access to /dev/infiniband/uverbs* and rdma_cm";
            case Errno.ENOSYS, Errno.EOPNOTSUPP -> "use a device and driver that support it";
            case Errno.ENODEV, Errno.EIO -> "check `rdma link` and dmesg: the device is gone or failed";
            case Errno.EMFILE -> "raise the limit of open files (ulimit -n)";
            case Errno.EBUSY -> "close the objects that still use it first";
            case Errno.EINVAL ->
                call.startsWith("ibv_create_qp")
                        // mlx5_calc_sq_size() of rdma-core and its like in other providers
                        ? "request fewer sends, fewer scatter/gather entries or less inline data: devices limit"
                                + " their product below the limit of each (`verbs devinfo -v`)"
                        : "keep the arguments within the device's limits (`verbs devinfo -v`)";
            case Errno.EFAULT ->
                registration
                        ? "map the memory; if a file is mapped, map it writable before Linux 6.2, and from Linux 6.5"
                                + " on keep files that are mapped writable on tmpfs or hugetlbfs"
                        : "pass memory that is mapped and readable";
            default -> "see `" + call + "(3)` and dmesg";
        };
    }
}
