package dev.berth.model.api;

import java.util.List;

/** The backends of a project. */
public record BackendList(List<BackendView> backends) {}
