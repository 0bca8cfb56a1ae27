/** Asks the sources of prices: offline ones into snapshots, online ones when offers are wanted. */
@NullMarked
package dev.berth.catalog.collect;

import org.jspecify.annotations.NullMarked;
