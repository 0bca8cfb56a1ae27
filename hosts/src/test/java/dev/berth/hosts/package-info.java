@NullMarked
package dev.berth.hosts;

import org.jspecify.annotations.NullMarked;
