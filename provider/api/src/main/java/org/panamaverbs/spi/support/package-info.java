/**
 * Shared parts of all providers, independent of their transport, so that they behave and report alike. For providers
 * only. Imports the API and the memory module only.
 */
@NullMarked
package org.panamaverbs.spi.support;

import org.jspecify.annotations.NullMarked;
