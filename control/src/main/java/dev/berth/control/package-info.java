/**
 * The loop around the decisions: messages in, one commit, actions out.
 *
 * <p>{@link dev.berth.control.ControlLoop}, {@link dev.berth.control.Dispatcher}, {@link
 * dev.berth.control.JobWatches} and the market are step machines without threads of their own;
 * {@link dev.berth.control.ControlSteps} puts them together and {@link
 * dev.berth.control.ControlPlane} gives them threads.
 */
@NullMarked
package dev.berth.control;

import org.jspecify.annotations.NullMarked;
