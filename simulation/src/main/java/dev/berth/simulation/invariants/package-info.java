/** What must always hold, each in a class of its own. */
@NullMarked
package dev.berth.simulation.invariants;

import org.jspecify.annotations.NullMarked;
