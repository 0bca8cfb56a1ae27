/** The HTTP API and the wiring of everything behind it. */
@NullMarked
package dev.berth.server;

import org.jspecify.annotations.NullMarked;
