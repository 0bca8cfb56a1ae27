package dev.berth.model.api;

import java.util.List;

/**
 * How far an upload is.
 *
 * @param archive what the archive is called in a run's files
 * @param kept whether all of it is there, so that runs can use it
 * @param missing the digests of the pieces that have to be sent
 */
public record UploadView(String archive, long size, boolean kept, List<String> missing) {
  public UploadView {
    missing = List.copyOf(missing);
  }
}
