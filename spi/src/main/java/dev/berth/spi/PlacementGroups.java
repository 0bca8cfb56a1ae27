package dev.berth.spi;

import dev.berth.model.Place;

/**
 * What placement groups are good for. {@link Provisioner} makes and deletes them; to delete one
 * that is in use throws {@link BackendException.Transient}.
 */
public interface PlacementGroups {
  /** Whether a machine at a place can be in a group. Pure and quick: no call to the provider. */
  boolean suits(ResourceRef group, Place place);

  /** Whether machines out of a reservation can be in a group. Pure. */
  boolean allowReservations();
}
