package org.panamaverbs.ibverbs.memory;

import org.panamaverbs.ibverbs.context.Region;

/**
 * A registration just made.
 *
 * @param region what the data path needs
 * @param rkey its remote key
 */
public record Registration(Region region, int rkey) {}
