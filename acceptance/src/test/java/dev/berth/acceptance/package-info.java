/** Tests of the whole: borders, documentation, the command as a process, crashes. */
@NullMarked
package dev.berth.acceptance;

import org.jspecify.annotations.NullMarked;
