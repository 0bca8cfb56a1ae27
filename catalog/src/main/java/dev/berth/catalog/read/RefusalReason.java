package dev.berth.catalog.read;

/** Why a row is no offer; a closed set, so that refusals can be counted. */
public enum RefusalReason {
  FIELD_COUNT("wrong number of fields"),
  NO_INSTANCE_TYPE("no instance type"),
  NO_LOCATION("no location"),
  NO_PRICE("no price"),
  NO_SIZE("no number of CPUs or no memory size"),
  BAD_NUMBER("a number is unreadable, negative or too large"),
  BAD_SPOT("the spot field is neither True nor False"),
  BAD_ARCHITECTURE("the CPU architecture is neither x86 nor arm"),
  BAD_PROVIDER_DATA("the provider data is not a JSON object"),
  NO_ACCELERATOR_NAME("accelerators without a name"),
  PART_OF_ACCELERATOR("only a fraction of an accelerator"),
  UNSUPPORTED_ACCELERATOR("accelerators of an unsupported vendor"),
  UNKNOWN_SLICE("the machine behind the TPU slice is unknown"),
  NO_HOST("no machine in the zone fits the accelerators"),
  NO_ACCELERATOR_FOR_HOST("the machine is sold only with accelerators, and the zone lists none");

  private final String sentence;

  RefusalReason(String sentence) {
    this.sentence = sentence;
  }

  public String sentence() {
    return sentence;
  }
}
