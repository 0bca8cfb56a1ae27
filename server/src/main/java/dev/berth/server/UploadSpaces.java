package dev.berth.server;

import dev.berth.server.blobs.BlobName;

/**
 * Where the uploads of a project are. Each project has its own, so that knowing the digest of
 * somebody's file opens it in no other.
 */
record UploadSpaces(String project) {
  String chunks() {
    return "projects/" + project + "/chunks";
  }

  String archives() {
    return "projects/" + project + "/archives";
  }

  BlobName chunk(String digest) {
    return new BlobName(chunks(), digest);
  }

  BlobName archive(String digest) {
    return new BlobName(archives(), digest);
  }
}
