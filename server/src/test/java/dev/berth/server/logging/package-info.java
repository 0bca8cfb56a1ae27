/** The lines of the log, tested. */
@NullMarked
package dev.berth.server.logging;

import org.jspecify.annotations.NullMarked;
