/** What {@code verbs devinfo} prints of a device, under the names that its fields have in C. */
@NullMarked
package org.panamaverbs.ibverbs.entries;

import org.jspecify.annotations.NullMarked;
