/** The nouns of Berth as immutable values. No dependency, no I/O, no clock. */
@NullMarked
package dev.berth.model;

import org.jspecify.annotations.NullMarked;
