package dev.berth.model.config;

/** The processor family of a machine. */
public enum CpuArchitecture {
  X86,
  ARM
}
