package dev.berth.planning;

import dev.berth.model.config.RunSettings;

/**
 * What containers run in where a file names no image.
 *
 * @param usual for those who ask for nothing
 * @param python for those who ask for Python; {@value #VERSION} stands for its version
 * @param nvcc for those who ask for the compiler of CUDA
 */
public record ContainerImages(String usual, String python, String nvcc) {
  /** What is replaced by a version. */
  public static final String VERSION = "{version}";

  /** Where the administrator says nothing. */
  public static final ContainerImages USUAL =
      new ContainerImages(
          "ubuntu:24.04", "python:" + VERSION, "nvidia/cuda:12.8.1-devel-ubuntu24.04");

  /** The image of a run: its own, or that for what it asks for. */
  public String of(RunSettings run) {
    String image = run.image();
    if (image != null) {
      return image;
    }
    if (Boolean.TRUE.equals(run.nvcc())) {
      return nvcc;
    }
    String version = run.python();
    return version == null ? usual : python.replace(VERSION, version);
  }
}
