/** Tasks for the tests of this module and of others. */
@NullMarked
package dev.berth.planning.testing;

import org.jspecify.annotations.NullMarked;
