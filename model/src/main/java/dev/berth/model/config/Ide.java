package dev.berth.model.config;

/** An editor that is made ready in a dev environment. */
public enum Ide {
  VSCODE,
  CURSOR,
  WINDSURF,
  ZED
}
