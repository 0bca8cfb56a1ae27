package dev.berth.model.config;

/** Which gateway publishes a service. */
public sealed interface GatewayChoice {
  /** The project's default gateway, or none at all. */
  record Switch(boolean on) implements GatewayChoice {}

  record Named(EntityReference gateway) implements GatewayChoice {}
}
