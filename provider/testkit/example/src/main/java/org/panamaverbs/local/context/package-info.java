/**
 * What the device is and can do, and what an open one owns: registrations by key, events. It knows none of the objects;
 * all other packages know it.
 */
@NullMarked
package org.panamaverbs.local.context;

import org.jspecify.annotations.NullMarked;
