package dev.berth.model;

import java.util.Locale;

/** Why a provider refused a request that it had accepted. */
public enum Refusal {
  /** The offer is sold out. */
  NO_CAPACITY("the provider has no capacity for it"),
  /** The account may not have more. */
  QUOTA("the quota of the account is used up"),
  OTHER("the provider refused it");

  private final String sentence;

  Refusal(String sentence) {
    this.sentence = sentence;
  }

  /** What is said where the provider says nothing. */
  public String sentence() {
    return sentence;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
