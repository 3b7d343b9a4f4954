package org.panamaverbs.api;

/**
 * Options of a connection that only devices of one vendor know, {@code struct ibv_ece} (enhanced connection
 * establishment): each side gives its own to the other, and sets what both have.
 *
 * @param vendorId the vendor's number, 0 for none
 * @param options bits of the vendor's
 */
public record Ece(int vendorId, int options) {}
