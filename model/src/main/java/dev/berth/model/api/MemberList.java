package dev.berth.model.api;

import java.util.List;

/** The members of a project, by name. */
public record MemberList(List<MemberView> members) {}
