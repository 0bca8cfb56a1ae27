@NullMarked
package dev.berth.backends.local;

import org.jspecify.annotations.NullMarked;
