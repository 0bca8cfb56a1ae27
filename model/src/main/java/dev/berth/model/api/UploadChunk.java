package dev.berth.model.api;

/** A piece of an upload, by its SHA-256. */
public record UploadChunk(String digest, long size) {}
