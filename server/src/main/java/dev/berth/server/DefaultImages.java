package dev.berth.server;

import dev.berth.model.config.ServerConfiguration;
import dev.berth.planning.ContainerImages;
import java.util.Objects;

/** The images that the server's file has now for runs that name none. */
final class DefaultImages {
  /** Written by the watch of the server's file. */
  private volatile ContainerImages images;

  DefaultImages(ContainerImages atStart) {
    this.images = atStart;
  }

  static ContainerImages of(ServerConfiguration configuration) {
    ContainerImages usual = ContainerImages.USUAL;
    return new ContainerImages(
        Objects.requireNonNullElse(configuration.defaultImage(), usual.usual()),
        Objects.requireNonNullElse(configuration.pythonImage(), usual.python()),
        Objects.requireNonNullElse(configuration.nvccImage(), usual.nvcc()));
  }

  ContainerImages now() {
    return images;
  }

  /** Goes on with others; what was accepted keeps those of before. */
  void replace(ContainerImages newImages) {
    images = newImages;
  }
}
