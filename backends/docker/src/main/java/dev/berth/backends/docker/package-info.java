/** The engine that is there already: jobs run as its containers. */
@NullMarked
package dev.berth.backends.docker;

import org.jspecify.annotations.NullMarked;
