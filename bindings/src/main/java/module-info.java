/** Bindings of libibverbs, librdmacm and libc, and whether those libraries are there. */
module org.panamaverbs.bindings {
    requires static org.jspecify;

    exports org.panamaverbs.bindings;
    exports org.panamaverbs.bindings.ibverbs;
    exports org.panamaverbs.bindings.libc;
    exports org.panamaverbs.bindings.rdmacm;
}
