package dev.berth.model.config;

import org.jspecify.annotations.Nullable;

/** A host that leads to other hosts. */
public record SshProxy(String hostname, @Nullable Integer port, String user, String identityFile) {}
