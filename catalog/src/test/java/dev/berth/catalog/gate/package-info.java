@NullMarked
package dev.berth.catalog.gate;

import org.jspecify.annotations.NullMarked;
