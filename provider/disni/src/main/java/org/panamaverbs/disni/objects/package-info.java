/**
 * What DiSNI's handles stand for: the device, its domains, registrations, channels, completion queues and queue pairs,
 * and how their failures are told. Known to all of this provider and to no application.
 */
@NullMarked
package org.panamaverbs.disni.objects;

import org.jspecify.annotations.NullMarked;
