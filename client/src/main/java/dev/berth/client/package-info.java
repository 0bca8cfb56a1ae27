/** A typed client of the HTTP API. */
@NullMarked
package dev.berth.client;

import org.jspecify.annotations.NullMarked;
