@NullMarked
package dev.berth.catalog.index;

import org.jspecify.annotations.NullMarked;
