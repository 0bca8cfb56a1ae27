package dev.berth.model.api;

import java.util.List;

/** An archive that shall be kept: its pieces in order, all of 4 MiB but the last. */
public record UploadRequest(List<UploadChunk> chunks) {
  public UploadRequest {
    chunks = List.copyOf(chunks);
  }
}
