package dev.berth.model.api;

/** Something that is wrong with a field. */
public record FieldProblem(String path, String message) {}
