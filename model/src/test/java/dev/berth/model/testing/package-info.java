/** What the tests of several modules need. */
@NullMarked
package dev.berth.model.testing;

import org.jspecify.annotations.NullMarked;
