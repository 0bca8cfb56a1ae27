package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * A version of the server that does not exist yet: it knows one more migration, adds a column and a
 * kind of entity that this one does not know, and writes a field more into every body.
 */
final class NextVersion {
  private NextVersion() {}

  /** Makes it in a folder; returns what comes first on its class path. */
  static String make(Path folder) throws IOException {
    int known = known();
    String schema =
        changed(
            "ledger/src/main/java/dev/berth/ledger/Schema.java",
            "CURRENT = " + known,
            "CURRENT = " + (known + 1));
    String codec =
        changed(
            "control/src/main/java/dev/berth/control/Codec.java",
            """
                if (unknown == null) {
                  return MAPPER.writeValueAsString(noun);
                }
                ObjectNode body = tree(noun);
                unknown.keepIn(body);
            """,
            """
                ObjectNode body = tree(noun);
                if (unknown != null) {
                  unknown.keepIn(body);
                }
                body.put("later", "kept");
            """);
    compile(folder, List.of(source("Schema", schema), source("Codec", codec)));
    Path migrations = Files.createDirectories(folder.resolve("dev/berth/ledger/migrations"));
    Files.writeString(
        migrations.resolve("V" + (known + 1) + "__later.sql"),
        """
        ALTER TABLE entity ADD COLUMN later TEXT;
        INSERT INTO entity (realm, kind, id, project, state, active, sort_key, body_version, body, changed_seq)
          SELECT id, 'gadget', 'g1', '', 'busy', TRUE, 1, 1, '{}', seq FROM realm;
        """);
    return folder + File.pathSeparator;
  }

  private static int known() throws IOException {
    try (var files =
        Files.list(
            Distribution.root().resolve("ledger/src/main/resources/dev/berth/ledger/migrations"))) {
      return files
          .map(file -> file.getFileName().toString())
          .mapToInt(name -> Integer.parseInt(name.substring(1, name.indexOf('_'))))
          .max()
          .orElseThrow();
    }
  }

  private static String changed(String file, String before, String after) throws IOException {
    String text = Files.readString(Distribution.root().resolve(file));
    assertThat(text).as("the source that the next version changes").contains(before);
    return text.replace(before, after);
  }

  private static JavaFileObject source(String name, String text) {
    return new SimpleJavaFileObject(
        URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
      }
    };
  }

  private static void compile(Path folder, List<JavaFileObject> sources) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    List<String> options =
        new ArrayList<>(
            List.of("-d", folder.toString(), "-cp", Distribution.classPath(), "-proc:none"));
    boolean compiled = compiler.getTask(said, null, null, options, null, sources).call();
    assertThat(compiled).as("the next version compiles: %s", said).isTrue();
  }
}
