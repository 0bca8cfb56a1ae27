@NullMarked
package dev.berth.control;

import org.jspecify.annotations.NullMarked;
