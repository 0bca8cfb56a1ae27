/**
 * What the author of a backend sees. Found with {@link java.util.ServiceLoader}; no other module
 * names a backend.
 */
@NullMarked
package dev.berth.spi;

import org.jspecify.annotations.NullMarked;
