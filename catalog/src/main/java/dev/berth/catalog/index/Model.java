package dev.berth.catalog.index;

import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.ComputeCapability;
import dev.berth.model.offers.Accelerator;
import dev.berth.model.offers.Accelerators;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A model of accelerators and the shapes that have it, which follow each other.
 *
 * @param vendor null, as all the rest, for the shapes without accelerators
 * @param name the name that all its spellings share
 */
record Model(
    @Nullable AcceleratorVendor vendor,
    @Nullable String name,
    @Nullable ComputeCapability computeCapability,
    Span shapes) {
  static Model none(Span shapes) {
    return new Model(null, null, null, shapes);
  }

  static Model of(AcceleratorVendor vendor, String name, Span shapes) {
    Optional<Accelerator> known =
        vendor == AcceleratorVendor.NVIDIA ? Accelerators.find(name) : Optional.empty();
    return new Model(
        vendor,
        Accelerators.canonical(name),
        known.map(Accelerator::computeCapability).orElse(null),
        shapes);
  }
}
