@NullMarked
package dev.berth.spi;

import org.jspecify.annotations.NullMarked;
