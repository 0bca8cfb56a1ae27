/** Tells others of events, signed, in order, and at least once. */
@NullMarked
package dev.berth.server.webhooks;

import org.jspecify.annotations.NullMarked;
