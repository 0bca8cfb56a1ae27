/**
 * How backends are configured: a record says which settings there are, and reading, schema and
 * documentation follow from it.
 */
@NullMarked
package dev.berth.spi.config;

import org.jspecify.annotations.NullMarked;
