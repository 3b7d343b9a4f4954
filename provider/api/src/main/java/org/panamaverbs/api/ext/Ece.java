package org.panamaverbs.api.ext;

/**
 * Vendor options of a connection, {@code struct ibv_ece} (enhanced connection establishment): each side sends its own
 * to the other, and sets those that both have.
 *
 * @param vendorId the vendor, 0 for none ({@code vendor_id})
 * @param options bits defined by the vendor ({@code options})
 */
public record Ece(int vendorId, int options) {}
