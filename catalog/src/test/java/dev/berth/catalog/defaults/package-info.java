/** Tests of the catalog that is fetched where none was imported. */
@NullMarked
package dev.berth.catalog.defaults;

import org.jspecify.annotations.NullMarked;
