package dev.berth.decisions;

import java.util.Locale;

/** What keeps a place from being used now, though the task asks for nothing that it lacks. */
enum Obstacle {
  SOLD_OUT("sold out"),
  NO_QUOTA("the account's quota is exhausted"),
  NO_BALANCE("the account's balance is too low"),
  TRIED("it was tried for this run and had no capacity"),
  FAILED_LATELY("it had no capacity recently and is skipped for a while"),
  IN_USE("other runs use too much of it"),
  RESERVED("it is reserved for a run ahead in the queue"),
  NOT_READY("it is still booting or about to be removed"),
  FLEET_FULL("its fleet has reached its maximum size"),
  OWN_FIRST("the run waits for a machine that costs nothing"),
  TOO_FEW("there are not enough of them close together for all nodes"),
  POLICY("a policy of the server excludes it"),
  TOGETHER("no single part of it has everything that is required");

  private final String sentence;

  Obstacle(String sentence) {
    this.sentence = sentence;
  }

  String sentence() {
    return sentence;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
