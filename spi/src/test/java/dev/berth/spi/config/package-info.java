@NullMarked
package dev.berth.spi.config;

import org.jspecify.annotations.NullMarked;
