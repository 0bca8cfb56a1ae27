/** What one simulated life consists of, all of it drawn from one seed before it begins. */
@NullMarked
package dev.berth.simulation.plan;

import org.jspecify.annotations.NullMarked;
