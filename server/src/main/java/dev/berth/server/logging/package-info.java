/** What the lines of a server's log look like. */
@NullMarked
package dev.berth.server.logging;

import org.jspecify.annotations.NullMarked;
