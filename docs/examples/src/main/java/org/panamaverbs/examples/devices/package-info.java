/** One server on all adapters of a machine: docs/guide/examples/devices.md explains it. */
@NullMarked
package org.panamaverbs.examples.devices;

import org.jspecify.annotations.NullMarked;
