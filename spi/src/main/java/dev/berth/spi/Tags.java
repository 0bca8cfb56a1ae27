package dev.berth.spi;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The marks that a resource carries at the provider.
 *
 * @param seq the number of the event that asked for it; one that is newer than the ledger shows
 *     that the ledger was set back
 * @param own what users want to see there, such as a cost centre
 */
public record Tags(Owner owner, long seq, String project, String name, Map<String, String> own) {
  public static final String OWNER = "berth-owner";
  public static final String KEY = "berth-key";
  public static final String SEQ = "berth-seq";
  public static final String PROJECT = "berth-project";
  public static final String NAME = "berth-name";

  public Tags {
    own = Map.copyOf(own);
  }

  /** All of them under one name each, ours last, so that a user's cannot hide them. */
  public Map<String, String> words(String key) {
    Map<String, String> all = new LinkedHashMap<>(own);
    all.put(OWNER, owner.installation());
    all.put(KEY, key);
    all.put(SEQ, Long.toString(seq));
    all.put(PROJECT, project);
    all.put(NAME, name);
    return all;
  }
}
