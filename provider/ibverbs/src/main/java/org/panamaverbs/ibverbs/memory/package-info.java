/**
 * What a protection domain owns: registrations, the windows that are bound to them, and what is left of address
 * handles.
 */
@NullMarked
package org.panamaverbs.ibverbs.memory;

import org.jspecify.annotations.NullMarked;
