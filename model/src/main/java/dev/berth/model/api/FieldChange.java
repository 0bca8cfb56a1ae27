package dev.berth.model.api;

import org.jspecify.annotations.Nullable;

/**
 * A field that is not what it was, both values as JSON.
 *
 * @param before null where it was not set
 * @param after null where it is not set any more
 */
public record FieldChange(String path, @Nullable String before, @Nullable String after) {}
