/** The offer catalog: what providers sell, where, at which price, and how far that is trusted. */
@NullMarked
package dev.berth.catalog;

import org.jspecify.annotations.NullMarked;
