/**
 * Offers: asks catalog and providers what the server's requirements can be met with, and keeps the
 * answers. {@link dev.berth.control.offers.OfferCache} is the door.
 */
@NullMarked
package dev.berth.control.offers;

import org.jspecify.annotations.NullMarked;
