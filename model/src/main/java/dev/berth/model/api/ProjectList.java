package dev.berth.model.api;

import java.util.List;

/** The projects that the caller may see, by name. */
public record ProjectList(List<ProjectView> projects) {}
