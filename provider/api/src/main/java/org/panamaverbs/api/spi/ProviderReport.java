package org.panamaverbs.api.spi;

/**
 * A provider and whether it can be used here.
 *
 * @param name the provider's name
 * @param priority its priority, higher is tried first
 * @param availability whether it can be used
 */
public record ProviderReport(String name, int priority, Availability availability) {}
