@NullMarked
package dev.berth.testkit;

import org.jspecify.annotations.NullMarked;
