package dev.berth.server.plugins;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Makes plug-ins out of source text, as their authors' builds would. */
public final class PluginJars {
  private static final String SERVICE = "META-INF/services/dev.berth.spi.BackendType";

  private final Path folder;

  public PluginJars(Path folder) {
    this.folder = folder;
  }

  /** A library that each plug-in brings in a version of its own. */
  static String library(String version) {
    return "package lib; public final class Library { public static String version() { return \""
        + version
        + "\"; } }";
  }

  /** A type whose summary says which library it sees. */
  public static String type(String className, String name, String summary) {
    return """
    import dev.berth.spi.*;
    public final class %s implements BackendType<%s.Config> {
      public record Config(String region) {}
      public String name() { return "%s"; }
      public String summary() { return %s; }
      public Class<Config> config() { return Config.class; }
      public Traits traits() { return Traits.of(Traits.Base.CONTAINERS); }
      public void check(Config config, BackendContext context) {}
      public Compute open(Config config, BackendContext context) {
        throw new BackendException.Permanent("this backend cannot be opened", null);
      }
    }
    """
        .formatted(className, className, name, summary);
  }

  /** Compiles sources and packs them with a service file that names some classes. */
  public Path jar(String file, List<String> services, Map<String, String> sources)
      throws IOException {
    Path work = Files.createTempDirectory(folder, "sources");
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-d",
                work.resolve("classes").toString(),
                "-cp",
                System.getProperty("java.class.path")));
    for (Map.Entry<String, String> source : sources.entrySet()) {
      Path java = work.resolve(source.getKey());
      Files.createDirectories(java.getParent());
      arguments.add(Files.writeString(java, source.getValue()).toString());
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    OutputStream err =
        new OutputStream() {
          @Override
          public void write(int one) {
            said.write(one);
          }
        };
    if (compiler.run(null, null, err, arguments.toArray(String[]::new)) != 0) {
      throw new IOException("the plug-in does not compile: " + said);
    }
    Map<String, byte[]> entries = new LinkedHashMap<>();
    entries.put(
        SERVICE, String.join("\n", services).getBytes(java.nio.charset.StandardCharsets.UTF_8));
    Path classes = work.resolve("classes");
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path compiled : files.filter(Files::isRegularFile).toList()) {
        entries.put(classes.relativize(compiled).toString(), Files.readAllBytes(compiled));
      }
    }
    return pack(Files.createDirectories(folder.resolve("plugins")).resolve(file), entries);
  }

  private static Path pack(Path jar, Map<String, byte[]> entries) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, "4.2");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        out.putNextEntry(new JarEntry(entry.getKey()));
        out.write(entry.getValue());
        out.closeEntry();
      }
    }
    return jar;
  }
}
