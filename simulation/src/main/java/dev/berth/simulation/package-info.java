/**
 * The whole control plane in one thread, under a clock that nobody waits for.
 *
 * <p>{@link dev.berth.simulation.Simulation} lives one {@link dev.berth.simulation.plan.Plan} from
 * its beginning to the moment when all is quiet, and asks every {@link
 * dev.berth.simulation.invariants.Invariant} after each step.
 */
@NullMarked
package dev.berth.simulation;

import org.jspecify.annotations.NullMarked;
