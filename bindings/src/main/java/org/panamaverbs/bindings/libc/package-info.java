/**
 * The parts of libc that a verbs provider needs - sockets, epoll, eventfd, memory, scheduling - as jextract reads the
 * headers of glibc 2.36.
 *
 * <p>Generated, with two changes: symbols and the pointer layout come from
 * {@link org.panamaverbs.bindings.NativeLibrary#LIBC}; and {@code epoll_event} is written by hand, since its layout is that of
 * the {@link org.panamaverbs.bindings.Architecture}.
 * Constants and layouts work everywhere; a function fails with an error when it is first touched where there is no glibc,
 * so ask {@code NativeLibrary.LIBC.isPresent()} before.
 */
package org.panamaverbs.bindings.libc;
