package dev.berth.catalog.read;

/** Why a row is no offer; a closed set, so that refusals can be counted. */
public enum RefusalReason {
  FIELD_COUNT("it has more or fewer fields than the header"),
  NO_INSTANCE_TYPE("it has no instance type"),
  NO_LOCATION("it has no location"),
  NO_PRICE("it has no price"),
  NO_SIZE("it lacks cpus or memory"),
  BAD_NUMBER("a number in it cannot be read, is negative or is too large"),
  BAD_SPOT("its spot field is neither True nor False"),
  BAD_ARCHITECTURE("its processor architecture is neither x86 nor arm"),
  BAD_PROVIDER_DATA("its provider data is not a JSON object"),
  NO_ACCELERATOR_NAME("it has accelerators without a name"),
  PART_OF_ACCELERATOR("it has only a part of an accelerator"),
  UNSUPPORTED_ACCELERATOR("its accelerator is of a vendor that is not supported"),
  UNKNOWN_SLICE("the machine behind its TPU slice is not known"),
  NO_HOST("no machine in its zone takes its accelerators"),
  NO_ACCELERATOR_FOR_HOST("its machine is sold only with accelerators, and its zone lists none");

  private final String sentence;

  RefusalReason(String sentence) {
    this.sentence = sentence;
  }

  public String sentence() {
    return sentence;
  }
}
