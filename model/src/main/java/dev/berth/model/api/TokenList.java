package dev.berth.model.api;

import java.util.List;

/** Tokens that work, the newest first. */
public record TokenList(List<TokenView> tokens) {}
