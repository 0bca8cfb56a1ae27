package dev.berth.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Where plug-ins are looked for: beside Berth's own jars, and in the user's folder. */
final class PluginFolders {
  private PluginFolders() {}

  static List<Path> of(Home home) {
    List<Path> folders = new ArrayList<>();
    String distribution = System.getProperty("berth.distribution");
    if (distribution != null) {
      folders.add(Path.of(distribution, "plugins"));
    }
    folders.add(home.plugins());
    return folders;
  }
}
