package dev.berth.model.api;

import java.util.List;

/** The types of backends that are installed, and what could not be loaded. */
public record BackendTypeList(List<BackendTypeView> types, List<Failed> failed) {
  /** Something that should give a type and does not. */
  public record Failed(String origin, String reason) {}
}
