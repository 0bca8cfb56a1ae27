package dev.berth.model.api;

import java.util.List;

/** Secrets of a project by name, without values. */
public record SecretList(List<SecretView> secrets) {}
