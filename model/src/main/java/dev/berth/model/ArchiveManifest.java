package dev.berth.model;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What an uploaded archive consists of: chunks, in order. An archive is named by the digest of this
 * list, so that whoever has the name can check every byte, and nobody has to join the chunks to
 * know that they are the right ones.
 */
public record ArchiveManifest(List<Chunk> chunks) {
  /** How long all chunks but the last are. */
  public static final int CHUNK_BYTES = 4 * 1024 * 1024;

  private static final String FIRST_LINE = "berth-archive 1";

  public ArchiveManifest {
    chunks = List.copyOf(chunks);
    for (int i = 0; i < chunks.size(); i++) {
      if (i < chunks.size() - 1 && chunks.get(i).size() != CHUNK_BYTES) {
        throw new IllegalArgumentException(
            "all chunks but the last have " + CHUNK_BYTES + " bytes, and chunk " + i + " has not");
      }
    }
  }

  /** A piece of an archive, by its content. */
  public record Chunk(String digest, long size) {
    public Chunk {
      Sha256.require(digest);
      if (size < 1 || size > CHUNK_BYTES) {
        throw new IllegalArgumentException("a chunk has from 1 to " + CHUNK_BYTES + " bytes");
      }
    }
  }

  public long size() {
    return chunks.stream().mapToLong(Chunk::size).sum();
  }

  /** The name of the archive. */
  public String digest() {
    return Sha256.of(text().getBytes(StandardCharsets.US_ASCII));
  }

  /** As it is kept, and as its digest is taken: a line for each chunk. */
  public String text() {
    StringBuilder text = new StringBuilder(FIRST_LINE).append('\n');
    chunks.forEach(
        chunk -> text.append(chunk.digest()).append(' ').append(chunk.size()).append('\n'));
    return text.toString();
  }

  /**
   * Reads what {@link #text} wrote.
   *
   * @throws IllegalArgumentException for anything else
   */
  public static ArchiveManifest parse(String text) {
    List<String> lines = text.lines().toList();
    if (lines.isEmpty() || !lines.getFirst().equals(FIRST_LINE)) {
      throw new IllegalArgumentException("this is no list of an archive's chunks");
    }
    List<Chunk> chunks = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      int space = line.indexOf(' ');
      if (space < 0) {
        throw new IllegalArgumentException("a chunk is a digest and a size");
      }
      chunks.add(new Chunk(line.substring(0, space), Long.parseLong(line.substring(space + 1))));
    }
    return new ArchiveManifest(chunks);
  }
}
