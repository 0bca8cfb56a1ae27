package dev.berth.model.config;

/** Everything that a file of the user may describe. */
public sealed interface Configuration
    permits RunConfiguration,
        FleetConfiguration,
        VolumeConfiguration,
        GatewayConfiguration,
        ProfilesConfiguration,
        ServerConfiguration {}
