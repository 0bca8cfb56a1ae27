/** Finding the types of backends: those that come with Berth, and those in jars of their own. */
@NullMarked
package dev.berth.server.plugins;

import org.jspecify.annotations.NullMarked;
