package dev.berth.model;

import java.util.Locale;

/** Why a machine was given back, or is about to be. */
public enum InstanceReason {
  IDLE_TIMEOUT("nobody used it for as long as allowed"),
  JOB_FINISHED("its job has ended"),
  NO_OFFERS("no offer for it could be had"),
  PROVISIONING_TIMEOUT("it did not become ready in time"),
  UNREACHABLE("it could not be reached"),
  INTERRUPTED("the provider took it back"),
  ERROR("it does not work"),
  FLEET_SPEC_MISMATCH("its fleet asks for other machines now"),
  MAX_INSTANCES_LIMIT("its fleet has more machines than allowed"),
  MASTER_FAILED("the first machine of its fleet could not be had"),
  NOT_NEEDED("whoever asked for it does not need it any more"),
  TERMINATED_BY_USER("deleted by the user");

  private final String sentence;

  InstanceReason(String sentence) {
    this.sentence = sentence;
  }

  public String sentence() {
    return sentence;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
