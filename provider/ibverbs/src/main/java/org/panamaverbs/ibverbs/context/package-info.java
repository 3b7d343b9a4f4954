/** What an open device owns: events, objects by their native addresses, registrations by key. It knows no object. */
@NullMarked
package org.panamaverbs.ibverbs.context;

import org.jspecify.annotations.NullMarked;
