package dev.berth.model.api;

import java.util.List;

/** Why a request was refused (RFC 9457). */
public record ProblemView(
    String type, String title, int status, String detail, List<FieldProblem> errors) {}
