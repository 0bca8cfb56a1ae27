@NullMarked
package dev.berth.decisions;

import org.jspecify.annotations.NullMarked;
