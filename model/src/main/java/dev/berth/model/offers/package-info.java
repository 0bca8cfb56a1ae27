/** What providers offer, as their catalogs state it, and what is known of accelerators. */
@NullMarked
package dev.berth.model.offers;

import org.jspecify.annotations.NullMarked;
