package dev.berth.grammar;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.berth.grammar.ConfigurationReader.Defaults;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An independent validator judges the files by our schemas as our reader judges them. */
final class SchemaTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

  private final Map<Kind, Schema> schemas = new EnumMap<>(Kind.class);

  SchemaTest() {
    for (Kind kind : Kind.values()) {
      schemas.put(kind, REGISTRY.getSchema(JSON.<JsonNode>valueToTree(kind.schema())));
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void eachSchemaIsValidByTheMetaSchema(Kind kind) {
    Schema metaSchema = REGISTRY.getSchema(SchemaLocation.of(SchemaBuilder.DIALECT));
    assertThat(metaSchema.validate(JSON.<JsonNode>valueToTree(kind.schema()))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void eachSchemaHasOneOrderInAllRuns(Kind kind) {
    assertThat(unordered(kind.schema())).isEmpty();
  }

  private static List<Object> unordered(Object schema) {
    List<Object> found = new ArrayList<>();
    switch (schema) {
      case Map<?, ?> map -> {
        if (!(map instanceof SequencedMap<?, ?>)) {
          found.add(map);
        }
        map.values().forEach(value -> found.addAll(unordered(value)));
      }
      case List<?> list -> list.forEach(item -> found.addAll(unordered(item)));
      default -> {}
    }
    return found;
  }

  @Test
  void everyAcceptedFileIsAcceptedByItsSchema() {
    List<String> refused = new ArrayList<>();
    BeyondSchema.judgeable(AllCases.accepted())
        .forEach(
            one ->
                complaints(one)
                    .filter(complaints -> !complaints.isEmpty())
                    .ifPresent(complaints -> refused.add(one + "\n" + complaints)));
    assertThat(refused).isEmpty();
  }

  @Test
  void everyRefusedFileIsRefusedByItsSchemaUnlessASchemaCannotSayWhy() {
    List<String> wrong = new ArrayList<>();
    BeyondSchema.judgeable(AllCases.refused())
        .forEach(
            one -> {
              boolean accepted = complaints(one).map(List::isEmpty).orElse(false);
              boolean beyond = BeyondSchema.contains(one);
              if (accepted && !beyond) {
                wrong.add("accepted: " + one);
              } else if (!accepted && beyond) {
                wrong.add("refused after all, so remove it from the list: " + one);
              }
            });
    assertThat(wrong).isEmpty();
  }

  @Test
  void theListOfWhatASchemaCannotSayHasNoStaleEntries() {
    assertThat(BeyondSchema.unused(AllCases.refused().toList())).isEmpty();
  }

  /** What the schema of the file's kind says; empty where nobody can tell the kind. */
  private Optional<List<com.networknt.schema.Error>> complaints(Case one) {
    return ConfigurationReader.read(one.bytes(), Defaults.FILLED)
        .kind()
        .map(kind -> Objects.requireNonNull(schemas.get(kind)).validate(json(one)));
  }

  /** The file as a YAML 1.2 parser of the core schema hands it to a validator. */
  private static JsonNode json(Case one) {
    LoadSettings settings = LoadSettings.builder().setSchema(new CoreSchema()).build();
    return JSON.valueToTree(new Load(settings).loadFromString(one.text()));
  }
}
