/** How fake clouds behave, tried on a small one. */
@NullMarked
package dev.berth.testkit.fake;

import org.jspecify.annotations.NullMarked;
