/**
 * What the device is and can do, and the lock of all devices. It knows none of the objects; all other packages know it.
 */
@NullMarked
package org.panamaverbs.local.context;

import org.jspecify.annotations.NullMarked;
