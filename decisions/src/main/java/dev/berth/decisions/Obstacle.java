package dev.berth.decisions;

import java.util.Locale;

/** What keeps a place from being used now, though the task asks for nothing that it lacks. */
enum Obstacle {
  SOLD_OUT("sold out"),
  NO_QUOTA("the account may not have more of it"),
  NO_BALANCE("the account cannot pay for it"),
  TRIED("it was tried for this run, and could not be had"),
  FAILED_LATELY("it could not be had lately, and is left alone for a while"),
  IN_USE("others use too much of it"),
  RESERVED("it is kept for a run that is in front"),
  NOT_READY("it is not ready, or about to go"),
  FLEET_FULL("its fleet has as many machines as it may have"),
  OWN_FIRST("a machine that costs nothing could take the run, and is waited for"),
  TOO_FEW("there are not enough of them near each other for all nodes"),
  POLICY("a policy of the server does not let it be used"),
  TOGETHER("no part of it has all that is asked for together");

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
