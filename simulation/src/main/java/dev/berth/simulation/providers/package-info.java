/** The places where jobs run in a simulation, and what only they themselves can know. */
@NullMarked
package dev.berth.simulation.providers;

import org.jspecify.annotations.NullMarked;
