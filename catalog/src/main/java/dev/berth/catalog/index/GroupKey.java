package dev.berth.catalog.index;

/** What offers are put together by. */
public enum GroupKey {
  /** The model of the accelerators, by the name that all its spellings share. */
  GPU,
  /** The provider. */
  BACKEND,
  REGION,
  /** The number of accelerators. */
  COUNT
}
