/** The checks themselves, a class for each area. */
@NullMarked
package dev.berth.testkit.checks;

import org.jspecify.annotations.NullMarked;
