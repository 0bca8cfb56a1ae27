package dev.berth.model.api;

import java.util.List;

/** Which server this is. */
public record InfoView(
    String version, long pid, String user, String project, List<String> backends) {}
