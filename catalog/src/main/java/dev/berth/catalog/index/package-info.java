/** The offers of snapshots, arranged so that questions are answered without looking at each. */
@NullMarked
package dev.berth.catalog.index;

import org.jspecify.annotations.NullMarked;
