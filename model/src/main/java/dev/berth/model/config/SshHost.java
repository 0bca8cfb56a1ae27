package dev.berth.model.config;

import org.jspecify.annotations.Nullable;

/** A machine of an SSH fleet. */
public record SshHost(
    String hostname,
    @Nullable Integer port,
    @Nullable String user,
    @Nullable String identityFile,
    @Nullable SshProxy proxyJump,
    @Nullable String internalIp,
    @Nullable Blocks blocks) {}
