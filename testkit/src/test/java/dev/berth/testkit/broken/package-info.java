/** Backends of which one thing is broken, each of which one check must catch. */
@NullMarked
package dev.berth.testkit.broken;

import org.jspecify.annotations.NullMarked;
