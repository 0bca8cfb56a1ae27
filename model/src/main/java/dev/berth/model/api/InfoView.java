package dev.berth.model.api;

import java.util.List;
import java.util.Map;

/**
 * Which server this is, and who asks.
 *
 * @param role admin or user: what the caller may do outside of projects
 * @param roles what the caller may do in each project of which they are a member
 */
public record InfoView(
    String version,
    long pid,
    String user,
    String project,
    List<String> backends,
    String role,
    Map<String, String> roles) {}
