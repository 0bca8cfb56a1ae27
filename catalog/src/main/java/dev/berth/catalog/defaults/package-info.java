/**
 * The catalog that is fetched where the user has imported none: whether, when, and how old it is.
 */
@NullMarked
package dev.berth.catalog.defaults;

import org.jspecify.annotations.NullMarked;
