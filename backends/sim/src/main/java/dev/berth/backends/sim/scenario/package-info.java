/** What a simulated cloud is like: what it sells, how fast it is, and what goes wrong. */
@NullMarked
package dev.berth.backends.sim.scenario;

import org.jspecify.annotations.NullMarked;
