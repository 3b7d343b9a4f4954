package org.panamaverbs.bindings;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.bindings.ibverbs.Ibverbs;
import org.panamaverbs.bindings.ibverbs.ibv_wc;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.bindings.libc.epoll_event;
import org.panamaverbs.bindings.rdmacm.Rdmacm;
import org.panamaverbs.bindings.rdmacm.rdma_cm_id;

/** What a fresh JVM makes of the bindings, printed as lines of key and value. */
final class LibraryProbe {
    private LibraryProbe() {}

    public static void main(String[] arguments) {
        print("ibverbs.constant", Ibverbs.IBV_WR_RDMA_READ());
        print("ibverbs.layout", ibv_wc.sizeof());
        print("rdmacm.constant", Rdmacm.RDMA_CM_EVENT_ESTABLISHED());
        print("rdmacm.layout", rdma_cm_id.layout().byteSize() > 0);
        print("libc.constant", Libc.EPOLLIN());
        print("libc.layout", epoll_event.sizeof());
        printPresence("ibverbs", NativeLibrary.IBVERBS);
        printPresence("rdmacm", NativeLibrary.RDMACM);
        printPresence("libc", NativeLibrary.LIBC);
        print(
                "ibverbs.find",
                NativeLibrary.IBVERBS.lookup().find("ibv_get_device_list").isPresent());
        print(
                "rdmacm.find",
                NativeLibrary.RDMACM.lookup().find("rdma_create_id").isPresent());
        print("libc.find", NativeLibrary.LIBC.lookup().find("getpid").isPresent());
        print("flag", NativeLibrary.missingNativeAccessFlag().orElse("none"));
        print("ibverbs.call", callOfIbverbs());
        print("ibverbs.constantAfterCall", Ibverbs.IBV_WR_SEND());
    }

    private static void printPresence(String key, NativeLibrary library) {
        print(key + ".present", library.isPresent());
        print(key + ".absence", library.absence().orElse("none"));
    }

    private static String callOfIbverbs() {
        try {
            MemorySegment name = Ibverbs.ibv_wc_status_str(Ibverbs.IBV_WC_SUCCESS());
            return name.reinterpret(Long.MAX_VALUE).getString(0);
        } catch (LinkageError e) {
            return e.getClass().getSimpleName();
        }
    }

    private static void print(String key, Object value) {
        System.out.println(key + "=" + value);
    }
}
