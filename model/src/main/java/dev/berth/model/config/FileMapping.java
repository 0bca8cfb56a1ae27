package dev.berth.model.config;

/** A file or folder of the user's machine that the job gets. */
public record FileMapping(String localPath, String path) {}
