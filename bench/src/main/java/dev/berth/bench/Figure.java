package dev.berth.bench;

import org.jspecify.annotations.Nullable;

/**
 * One line of the report, before it is measured.
 *
 * @param peer what the figure is compared with, as one word; null where there is nothing
 */
record Figure(String name, String unit, @Nullable String peer) {}
