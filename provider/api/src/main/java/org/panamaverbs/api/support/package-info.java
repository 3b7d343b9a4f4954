/**
 * What every provider needs whatever its transport is, so that all say and do it alike. For providers; applications
 * have no use for it. It imports the api and the memory module alone.
 */
@NullMarked
package org.panamaverbs.api.support;

import org.jspecify.annotations.NullMarked;
