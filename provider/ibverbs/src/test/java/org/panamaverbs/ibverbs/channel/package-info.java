/** Channels over libibverbs, whatever it drives. */
package org.panamaverbs.ibverbs.channel;
