/**
 * The parts of libc that a verbs provider needs - sockets, epoll, eventfd, memory, scheduling - as jextract reads the
 * headers of glibc 2.36 on x86-64.
 *
 * <p>Generated, with one change: symbols and the pointer layout come from
 * {@link org.panamaverbs.bindings.NativeLibrary#LIBC}.
 * Constants and layouts work everywhere; a function fails with an error when it is first touched where there is no glibc,
 * so ask {@code NativeLibrary.LIBC.isPresent()} before.
 */
package org.panamaverbs.bindings.libc;
