package dev.berth.server.plugins;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Loads the classes of one plug-in: its own jars first, so that it may bring whatever version of a
 * library it likes. Only the contract is shared with the server, and of what the server has besides
 * a plug-in sees nothing.
 */
final class PluginClassLoader extends URLClassLoader {
  private static final List<String> SHARED =
      List.of("dev.berth.spi.", "dev.berth.model.", "org.jspecify.annotations.");

  private final ClassLoader server;

  static {
    registerAsParallelCapable();
  }

  PluginClassLoader(String name, URL[] jars, ClassLoader server) {
    super("plugin-" + name, jars, ClassLoader.getPlatformClassLoader());
    this.server = server;
  }

  static boolean isShared(String className) {
    return SHARED.stream().anyMatch(className::startsWith);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    // A copy of the contract in the plug-in's own jar would not be the server's.
    return isShared(name) ? server.loadClass(name) : super.loadClass(name, resolve);
  }

  @Override
  public @Nullable URL getResource(String name) {
    URL own = findResource(name);
    return own != null || !isShared(name.replace('/', '.')) ? own : server.getResource(name);
  }

  /** A plug-in sees the services that it brings, not those of the server. */
  @Override
  public Enumeration<URL> getResources(String name) throws IOException {
    return Collections.enumeration(Collections.list(findResources(name)));
  }
}
