/** What makes prices trustworthy: cleaning, the gate before a new snapshot, and comparison. */
@NullMarked
package dev.berth.catalog.gate;

import org.jspecify.annotations.NullMarked;
