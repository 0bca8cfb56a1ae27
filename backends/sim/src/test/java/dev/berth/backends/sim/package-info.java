@NullMarked
package dev.berth.backends.sim;

import org.jspecify.annotations.NullMarked;
