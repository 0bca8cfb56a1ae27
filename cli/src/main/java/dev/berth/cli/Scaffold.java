package dev.berth.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The project of a new backend: a pure function of its names to files.
 *
 * @param repository what authors build against, as the path of an address
 */
record Scaffold(
    ScaffoldName name, String packageName, Kind kind, String version, String repository) {
  private static final Pattern PLACEHOLDER = Pattern.compile("@([A-Za-z]+)@");

  /** What the new backend gives. */
  enum Kind {
    VM("vm", "Provisioner"),
    CONTAINER("container", "Runtime");

    private final String folder;
    private final String part;

    Kind(String folder, String part) {
      this.folder = folder;
      this.part = part;
    }
  }

  /** Paths inside of the project, with the text of each. */
  Map<String, String> files() {
    String java = "java/" + packageName.replace('.', '/') + "/";
    String main = "src/main/" + java;
    String test = "src/test/" + java;
    String own = kind.folder + "/";
    Map<String, String> files = new LinkedHashMap<>();
    files.put("pom.xml", text("pom.xml"));
    files.put("README.md", text(own + "README.md"));
    files.put(".gitignore", text("gitignore"));
    files.put(main + "package-info.java", text("package-info.java"));
    files.put(type(main, "BackendType"), text(own + "BackendType.java"));
    files.put(type(main, "Config"), text("Config.java"));
    files.put(type(main, "Client"), text("Client.java"));
    files.put(type(main, "Offers"), text("Offers.java"));
    files.put(type(main, "Compute"), text(own + "Compute.java"));
    files.put(type(main, kind.part), text(own + kind.part + ".java"));
    files.put("src/main/resources/META-INF/services/dev.berth.spi.BackendType", text("services"));
    files.put("src/main/resources/META-INF/berth/" + name.type() + ".md", text("docs.md"));
    files.put(test + "Fake" + name.className() + "Server.java", text(own + "FakeServer.java"));
    files.put(type(test, "ConformanceTest"), text(own + "ConformanceTest.java"));
    return files;
  }

  private String type(String folder, String suffix) {
    return folder + name.className() + suffix + ".java";
  }

  private String text(String template) {
    return PLACEHOLDER
        .matcher(read(template))
        .replaceAll(found -> Matcher.quoteReplacement(value(found.group(1), template)));
  }

  private String value(String placeholder, String template) {
    return switch (placeholder) {
      case "Name" -> name.className();
      case "NAME" -> name.variable();
      case "type" -> name.type();
      case "package" -> packageName;
      case "packageFolder" -> packageName.replace('.', '/');
      case "version" -> version;
      case "repository" -> repository.replace("&", "&amp;");
      default ->
          throw new IllegalStateException(template + " has the unknown placeholder " + placeholder);
    };
  }

  private static String read(String template) {
    String resource = "scaffold/" + template + ".template";
    try (InputStream in = Scaffold.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("the template " + resource + " is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
