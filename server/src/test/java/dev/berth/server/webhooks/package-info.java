/** Webhooks, tested against real receivers. */
@NullMarked
package dev.berth.server.webhooks;

import org.jspecify.annotations.NullMarked;
