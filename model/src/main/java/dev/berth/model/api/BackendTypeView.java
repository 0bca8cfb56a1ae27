package dev.berth.model.api;

import java.util.List;
import java.util.Map;

/**
 * A type of backend that is installed.
 *
 * @param origin {@code bundled}, or the file of the plug-in
 * @param base what it gives: machines, containers or hosts
 * @param schema of its configuration, a JSON Schema
 */
public record BackendTypeView(
    String name,
    String version,
    String origin,
    String summary,
    String base,
    List<String> traits,
    Map<String, Object> schema) {}
