package org.panamaverbs.ibverbs.objects;

/**
 * A registration just made.
 *
 * @param region what the data path needs
 * @param rkey its remote key
 */
record Registration(Region region, int rkey) {}
