/**
 * The loop around the decisions: messages in, one commit, actions out.
 *
 * <p>{@link dev.berth.control.ControlLoop}, {@link dev.berth.control.Dispatcher}, {@link
 * dev.berth.control.Watches} and the market are step machines without threads of their own; {@link
 * dev.berth.control.Machinery} puts them together and {@link dev.berth.control.Engine} gives them
 * threads.
 */
@NullMarked
package dev.berth.control;

import org.jspecify.annotations.NullMarked;
