package dev.berth.model;

/** The name of a secret of a project: all that rows, actions and events ever say of it. */
public record SecretRef(String project, String name) {}
