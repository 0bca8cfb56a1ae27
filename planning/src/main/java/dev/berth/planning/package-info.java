/**
 * From configurations to what decisions place and carry out. Here are the contract of planners and
 * how they are found; each kind of run has a room of its own, which nobody else names. No I/O, no
 * clock.
 */
@NullMarked
package dev.berth.planning;

import org.jspecify.annotations.NullMarked;
