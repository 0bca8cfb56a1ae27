@NullMarked
package dev.berth.catalog.places;

import org.jspecify.annotations.NullMarked;
