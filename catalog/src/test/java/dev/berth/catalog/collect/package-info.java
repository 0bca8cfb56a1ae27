@NullMarked
package dev.berth.catalog.collect;

import org.jspecify.annotations.NullMarked;
