/** A provider by a third party, found and used as any other: docs/guide/examples/provider.md explains it. */
@NullMarked
package org.panamaverbs.examples.provider;

import org.jspecify.annotations.NullMarked;
