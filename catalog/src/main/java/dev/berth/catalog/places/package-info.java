/** Where offers are: regions, zones, countries, and which names mean one provider. */
@NullMarked
package dev.berth.catalog.places;

import org.jspecify.annotations.NullMarked;
