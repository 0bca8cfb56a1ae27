package dev.berth.hosts.access;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is to be looked at of one folder, together with others.
 *
 * @param folder is told to be there or not
 * @param texts small files whose text is read, in this order; they may be in another folder
 * @param mostBytes no more of a text is read
 * @param files files whose size and time are read, after the texts
 * @param claim the one of the texts that begins with the {@code pid start-ticks} of a process, of
 *     which it is told whether it is alive, after everything else was looked at; null for none
 */
public record FolderQuery(
    MachinePath folder,
    List<MachinePath> texts,
    int mostBytes,
    List<MachinePath> files,
    @Nullable MachinePath claim) {
  public FolderQuery {
    texts = List.copyOf(texts);
    files = List.copyOf(files);
    if (claim != null && !texts.contains(claim)) {
      throw new IllegalArgumentException("the claim is one of the texts");
    }
  }
}
