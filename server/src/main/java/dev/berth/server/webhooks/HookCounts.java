package dev.berth.server.webhooks;

/** Who counts what webhooks do. */
public interface HookCounts {
  void sent(String webhook);

  /** A try failed. */
  void failed(String webhook);

  /** An event was given up. */
  void skipped(String webhook);

  /** All events up to a number are dealt with. */
  void newSeq(String webhook, long seq);
}
