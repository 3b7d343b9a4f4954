/** What calling libibverbs costs, beside a C application, JNI and jextract's plain invokers. */
@NullMarked
package org.panamaverbs.bench.binding;

import org.jspecify.annotations.NullMarked;
