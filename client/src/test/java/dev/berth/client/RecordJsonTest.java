package dev.berth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.api.ProblemView;
import dev.berth.model.api.RunView;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** Records of the API are read and written as the server's mapper writes and reads them. */
class RecordJsonTest {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();

  /** All records of the package, nested ones too. */
  static List<Class<?>> records()
      throws IOException, ReflectiveOperationException, URISyntaxException {
    Path model = Path.of(RunView.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    String folder = RunView.class.getPackageName().replace('.', '/');
    if (Files.isDirectory(model)) {
      return records(model.resolve(folder));
    }
    try (FileSystem jar = FileSystems.newFileSystem(model)) {
      return records(jar.getPath(folder));
    }
  }

  private static List<Class<?>> records(Path folder)
      throws IOException, ReflectiveOperationException {
    List<Class<?>> found = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        String name = file.getFileName().toString().replaceFirst("\\.class$", "");
        Class<?> type = Class.forName(RunView.class.getPackageName() + "." + name);
        if (type.isRecord()) {
          found.add(type);
        }
      }
    }
    return found;
  }

  @ParameterizedTest
  @MethodSource("records")
  void readsWhatTheMapperWrites(Class<?> type) throws ReflectiveOperationException {
    Object full = sample(type);
    assertThat(AnswerReader.read(MAPPER.writeValueAsString(full), type)).isEqualTo(full);
  }

  @ParameterizedTest
  @MethodSource("records")
  void writesWhatTheMapperWrites(Class<?> type) throws ReflectiveOperationException {
    Object full = sample(type);
    assertThat(MAPPER.readTree(RequestWriter.write(full))).isEqualTo(MAPPER.valueToTree(full));
  }

  @Test
  void missingAndNullAreNullAndUnknownIsSkipped() {
    String json =
        """
        {"id": "a", "later": {"x": [1, {"name": "no"}]}, "name": null, "cost": 1, "nodes": 2}
        """;
    RunView run = AnswerReader.read(json, RunView.class);
    assertThat(run.id()).isEqualTo("a");
    assertThat(run.name()).isNull();
    assertThat(run.cost()).isEqualTo(1.0);
    assertThat(run.nodes()).isEqualTo(2);
    assertThat(run.priority()).isZero();
  }

  @Test
  void aRequestKeepsWhatIsNotAscii() {
    ProblemView problem = new ProblemView("t", "ü\n\u0001\"\\ 😀", 1, "d", List.of());
    String json = new String(RequestWriter.write(problem), StandardCharsets.UTF_8);
    assertThat(MAPPER.readValue(json, ProblemView.class)).isEqualTo(problem);
    assertThat(AnswerReader.read(json, ProblemView.class)).isEqualTo(problem);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "<html>",
        "[]",
        "{\"status\": \"x\"}",
        "{\"title\": 1}",
        "{\"title\": \"cut",
        "{\"errors\": [",
        "{\"errors\": {}}",
        "{\"status\": 99999999999}",
        "{} x",
        "{\"status\": 01}",
        "{\"status\": 1,}",
        "{\"title\": \"\\x\"}",
        "{\"title\": \"\\u00g0\"}"
      })
  void saysWhatIsNoAnswer(String json) {
    assertThatThrownBy(() -> AnswerReader.read(json, ProblemView.class))
        .isInstanceOf(MalformedAnswerException.class)
        .hasMessageStartingWith("the server's answer cannot be read: ");
  }

  /** Of random changes to an answer, exactly those are read that Jackson reads, and alike. */
  @Test
  void readsWhatJacksonReads() {
    String answer =
        """
        {"a": [1, -0, 2.5e-3, 123456789012345678, 9223372036854775808, true, false, null, []],
         "b\\u00e9\\n\\"": {"x": "\\ud83d\\ude00 \\/ é", "y": {}}, "c": 1E2, "d": -2147483649}
        """;
    String signs = "{}[],:\"\\ue01-+.tfn \n\u0001é";
    Random random = new Random(7);
    int read = 0;
    for (int i = 0; i < 20_000; i++) {
      StringBuilder changed = new StringBuilder(answer);
      for (int change = random.nextInt(3); change > 0; change--) {
        int at = random.nextInt(changed.length());
        String sign = String.valueOf(signs.charAt(random.nextInt(signs.length())));
        changed.replace(at, at + random.nextInt(3), sign);
      }
      Optional<Object> expected = jackson(changed.toString());
      read += expected.isPresent() ? 1 : 0;
      assertThat(ours(changed.toString())).as("%s", changed).isEqualTo(expected);
    }
    assertThat(read).isBetween(1_000, 19_000);
  }

  private static Optional<Object> jackson(String json) {
    try {
      return Optional.of(MAPPER.readValue(json, Object.class));
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  private static Optional<Object> ours(String json) {
    try {
      return Optional.ofNullable(JsonText.parse(json));
    } catch (MalformedAnswerException e) {
      return Optional.empty();
    }
  }

  private static Object sample(Type type) throws ReflectiveOperationException {
    if (type instanceof ParameterizedType generic) {
      Type[] arguments = generic.getActualTypeArguments();
      return generic.getRawType() == List.class
          ? List.of(sample(arguments[0]), sample(arguments[0]))
          : Map.of("some_key", sample(arguments[1]));
    } else if (type == String.class) {
      return "some text";
    } else if (type == Instant.class) {
      return Instant.parse("2026-11-01T10:20:30.123456Z");
    } else if (type == boolean.class || type == Boolean.class) {
      return true;
    } else if (type == int.class || type == Integer.class) {
      return 7;
    } else if (type == long.class || type == Long.class) {
      return 1L << 40;
    } else if (type == double.class || type == Double.class) {
      return 0.1;
    } else if (type == Object.class) {
      Map<String, @Nullable Object> tree = new LinkedHashMap<>();
      tree.put("numbers", List.of(1, 1L << 40, 1.5));
      tree.put("nothing", null);
      return tree;
    }
    RecordComponent[] components = ((Class<?>) type).getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      values[i] = sample(components[i].getGenericType());
    }
    return ((Class<?>) type).getDeclaredConstructor(types).newInstance(values);
  }
}
