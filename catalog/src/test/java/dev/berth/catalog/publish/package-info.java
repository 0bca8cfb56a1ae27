@NullMarked
package dev.berth.catalog.publish;

import org.jspecify.annotations.NullMarked;
