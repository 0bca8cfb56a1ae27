/**
 * What a user writes in a configuration file, as values.
 *
 * <p>A component that is null was not written and has no value of its own yet: profiles and the
 * server's defaults may still fill it. Names follow the YAML names in Java's spelling.
 */
@NullMarked
package dev.berth.model.config;

import org.jspecify.annotations.NullMarked;
