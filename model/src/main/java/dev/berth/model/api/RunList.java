package dev.berth.model.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of runs, the newest first; next is the cursor of the following page. */
public record RunList(List<RunView> runs, @Nullable String next) {}
