package dev.berth.model.api;

import java.util.List;

/** The users, by name. */
public record UserList(List<UserView> users) {}
