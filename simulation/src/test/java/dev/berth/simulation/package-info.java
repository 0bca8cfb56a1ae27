@NullMarked
package dev.berth.simulation;

import org.jspecify.annotations.NullMarked;
