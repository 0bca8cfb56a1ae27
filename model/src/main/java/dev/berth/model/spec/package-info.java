/**
 * What runs do and require, whatever kind of file they come from: planners make it, and decisions
 * know nothing else of a run.
 */
@NullMarked
package dev.berth.model.spec;

import org.jspecify.annotations.NullMarked;
