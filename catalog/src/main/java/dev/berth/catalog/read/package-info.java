/**
 * Reads the catalogs that others publish, and brings them in from folders, archives and mirrors.
 */
@NullMarked
package dev.berth.catalog.read;

import org.jspecify.annotations.NullMarked;
