/** Writes the catalog for others to read, and signs it. */
@NullMarked
package dev.berth.catalog.publish;

import org.jspecify.annotations.NullMarked;
