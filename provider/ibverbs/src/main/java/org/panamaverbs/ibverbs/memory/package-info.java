/** What a protection domain owns: registrations, and the windows that are bound to them. */
@NullMarked
package org.panamaverbs.ibverbs.memory;

import org.jspecify.annotations.NullMarked;
