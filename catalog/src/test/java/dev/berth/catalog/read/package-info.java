@NullMarked
package dev.berth.catalog.read;

import org.jspecify.annotations.NullMarked;
