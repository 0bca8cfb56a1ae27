@NullMarked
package dev.berth.server.plugins;

import org.jspecify.annotations.NullMarked;
