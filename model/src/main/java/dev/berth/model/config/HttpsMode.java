package dev.berth.model.config;

/** Whether a service is offered over HTTPS. */
public enum HttpsMode {
  TRUE,
  FALSE,
  AUTO
}
