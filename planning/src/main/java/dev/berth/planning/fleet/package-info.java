/** What fleets require of their machines. */
@NullMarked
package dev.berth.planning.fleet;

import org.jspecify.annotations.NullMarked;
