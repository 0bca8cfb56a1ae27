/**
 * What shall happen, as pure functions: a view of what is, a message and the time give changes. No
 * I/O, no clock, no randomness; ids come with the messages.
 */
@NullMarked
package dev.berth.decisions;

import org.jspecify.annotations.NullMarked;
