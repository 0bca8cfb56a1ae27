package dev.berth.model.config;

/** The method of a probe's request. */
public enum HttpMethod {
  GET,
  POST,
  PUT,
  DELETE,
  PATCH,
  HEAD
}
