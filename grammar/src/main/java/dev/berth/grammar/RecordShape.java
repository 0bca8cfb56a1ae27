package dev.berth.grammar;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A mapping whose keys are the components of a record. Components may themselves be records whose
 * keys stand in the same mapping.
 */
final class RecordShape<R extends Record> implements Shape<R> {
  /** More names than this in one sentence help nobody. */
  private static final int MOST_NAMED = 12;

  private final Class<R> type;
  private final RecordAccess<R> access;
  private final List<Field<?>> fields = new ArrayList<>();
  private final Map<String, RecordShape<?>> inlined = new LinkedHashMap<>();
  private final Map<String, String> removed = new LinkedHashMap<>();
  private final List<Check<R>> checks = new ArrayList<>();
  private final List<Map<String, Object>> schemaRules = new ArrayList<>();
  private final Map<String, String> constants = new LinkedHashMap<>();
  private UnaryOperator<R> filling = UnaryOperator.identity();

  private RecordShape(Class<R> type) {
    this.type = type;
    this.access = new RecordAccess<>(type);
  }

  static <R extends Record> RecordShape<R> of(Class<R> type) {
    return new RecordShape<>(type);
  }

  RecordShape<R> with(Field<?> field) {
    fields.add(field);
    return this;
  }

  /** The fields of another record stand among ours. */
  RecordShape<R> inline(String component, RecordShape<?> shape) {
    inlined.put(component, shape);
    return this;
  }

  /** A key that always has this value, such as the kind of the file. */
  RecordShape<R> constant(String name, String value) {
    constants.put(name, value);
    return this;
  }

  /** A key of older versions, with what to write instead. */
  RecordShape<R> removed(String name, String successor) {
    removed.put(name, successor);
    return this;
  }

  RecordShape<R> check(List<String> fieldsLookedAt, Check.Body<R> body) {
    checks.add(new Check<>(fieldsLookedAt, body));
    return this;
  }

  /** What JSON Schema can say of a check. */
  RecordShape<R> schemaRule(Map<String, Object> rule) {
    schemaRules.add(rule);
    return this;
  }

  RecordShape<R> schemaRules(List<Map<String, Object>> rules) {
    schemaRules.addAll(rules);
    return this;
  }

  /** Defaults that depend on other fields. */
  RecordShape<R> filling(UnaryOperator<R> operator) {
    this.filling = operator;
    return this;
  }

  /** All fields of the mapping, those of inlined records included. */
  Stream<Field<?>> allFields() {
    return Stream.concat(
        inlined.values().stream().flatMap(RecordShape::allFields), fields.stream());
  }

  /** The fields of this record alone. */
  List<Field<?>> ownFields() {
    return List.copyOf(fields);
  }

  /** The records whose fields stand among ours. */
  List<RecordShape<?>> inlinedShapes() {
    return List.copyOf(inlined.values());
  }

  /** The keys of older versions, with what to write instead; those of inlined records included. */
  Map<String, String> allRemoved() {
    Map<String, String> all = new LinkedHashMap<>(removed);
    inlined.values().forEach(shape -> shape.allRemoved().forEach(all::putIfAbsent));
    return all;
  }

  Class<R> type() {
    return type;
  }

  @Override
  public @Nullable R read(Node node, Reading reading) {
    if (!(node instanceof Node.Mapping mapping)) {
      reading.error(
          Rule.EXPECTED_MAPPING,
          node,
          "expected a mapping of "
              + Text.alternatives(names(reading))
              + ", found "
              + node.kindName());
      return null;
    }
    rejectUnknown(mapping, reading);
    Pass pass = new Pass(mapping, reading);
    return readFrom(pass);
  }

  private @Nullable R readFrom(Pass pass) {
    Map<String, @Nullable Object> values = new HashMap<>();
    boolean complete = true;
    for (Map.Entry<String, RecordShape<?>> entry : inlined.entrySet()) {
      Record value = entry.getValue().readFrom(pass);
      complete &= value != null;
      values.put(entry.getKey(), value);
    }
    for (Field<?> field : fields) {
      complete &= pass.read(field, values);
    }
    if (!complete) {
      return null;
    }
    R value = access.construct(values);
    for (Check<R> check : checks) {
      if (pass.failed.stream().noneMatch(check.fields()::contains)) {
        check.body().check(value, pass);
      }
    }
    return pass.reading.fillsDefaults() ? filling.apply(value) : value;
  }

  private void rejectUnknown(Node.Mapping mapping, Reading reading) {
    List<String> known = names(reading);
    Map<String, String> successors = allRemoved();
    mapping
        .entries()
        .forEach(
            (name, entry) -> {
              if (known.contains(name)) {
                return;
              }
              Reading at = reading.field(name);
              String successor = successors.get(name);
              if (successor != null) {
                at.error(
                    Rule.FIELD_REMOVED,
                    entry.keyPosition(),
                    "'" + name + "' is a field of older versions; " + successor);
              } else {
                at.error(
                    Rule.FIELD_UNKNOWN,
                    entry.keyPosition(),
                    "unknown field '"
                        + Text.abbreviate(name)
                        + "'"
                        + (reading.isFull() ? "" : suggestion(name, known)));
              }
            });
  }

  private static String suggestion(String name, List<String> known) {
    String guess = Text.didYouMean(name, known);
    if (!guess.isEmpty()) {
      return guess;
    }
    return known.size() > MOST_NAMED
        ? "; run 'berth schema' to see all fields"
        : "; expected " + Text.alternatives(new TreeSet<>(known));
  }

  private List<String> names(Reading reading) {
    return Stream.concat(constantNames(), allFields().map(field -> field.nameIn(reading))).toList();
  }

  private Stream<String> constantNames() {
    return Stream.concat(
        inlined.values().stream().flatMap(RecordShape::constantNames), constants.keySet().stream());
  }

  @Override
  public Object write(R value) {
    Map<String, @Nullable Object> written = new LinkedHashMap<>(constants);
    writeInto(value, written);
    return written;
  }

  private void writeInto(Record value, Map<String, @Nullable Object> written) {
    inlined.forEach(
        (component, shape) ->
            shape.writeInto(
                (Record) Objects.requireNonNull(access.read(value, component)), written));
    for (Field<?> field : fields) {
      if (field.deprecation().isEmpty()) {
        writeField(field, access.read(value, field.component()), written);
      }
    }
  }

  private static <T> void writeField(
      Field<T> field, @Nullable Object component, Map<String, @Nullable Object> written) {
    @SuppressWarnings("unchecked")
    T value = (T) component;
    if (value != null) {
      written.put(field.normalName(), field.shape.write(value));
    } else if (!field.shape.writesNullForOff()) {
      written.put(field.normalName(), null);
    }
  }

  @Override
  public Map<String, Object> schema(SchemaBuilder schemas) {
    return schemas.reference(type.getSimpleName(), () -> definition(schemas));
  }

  private Map<String, Object> definition(SchemaBuilder schemas) {
    Map<String, Object> properties = new LinkedHashMap<>();
    constants.forEach((name, value) -> properties.put(name, Map.of("const", value)));
    List<String> required = new ArrayList<>(constants.keySet());
    allFields()
        .forEach(
            field -> {
              properties.put(field.name, described(field, schemas));
              if (field.isRequired()) {
                required.add(field.name);
              }
            });
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("type", "object");
    schema.put("properties", properties);
    schema.put("additionalProperties", false);
    if (!required.isEmpty()) {
      schema.put("required", required);
    }
    List<Map<String, Object>> rules = allSchemaRules().toList();
    if (!rules.isEmpty()) {
      schema.put("allOf", rules);
    }
    return schema;
  }

  private Stream<Map<String, Object>> allSchemaRules() {
    return Stream.concat(
        inlined.values().stream().flatMap(RecordShape::allSchemaRules), schemaRules.stream());
  }

  private static Map<String, Object> described(Field<?> field, SchemaBuilder schemas) {
    Map<String, Object> schema = field.shape.schema(schemas);
    Map<String, Object> described = new LinkedHashMap<>();
    described.put("description", field.description);
    if (field.deprecation().isPresent()) {
      described.put("deprecated", true);
    }
    if (field.isNullable()) {
      described.put("anyOf", List.of(schema, Map.of("type", "null")));
    } else {
      described.putAll(schema);
    }
    return described;
  }

  /** One reading of one mapping, shared by a record and the records inlined in it. */
  private static final class Pass implements Check.Findings {
    private final Node.Mapping mapping;
    private final Reading reading;
    private final Set<String> failed = new TreeSet<>();

    Pass(Node.Mapping mapping, Reading reading) {
      this.mapping = mapping;
      this.reading = reading;
    }

    /** Reads one field; false where the record cannot be made because of it. */
    <T> boolean read(Field<T> field, Map<String, @Nullable Object> values) {
      Node.Mapping.Entry entry = mapping.entries().get(field.nameIn(reading));
      Reading at = reading.field(field.nameIn(reading));
      if (entry == null) {
        if (field.isRequired()) {
          at.error(
              Rule.FIELD_REQUIRED,
              mapping.position(),
              "the field '" + field.nameIn(reading) + "' is required: " + field.description);
          failed.add(field.name);
          return false;
        }
        values.put(field.component(), field.unwritten(at));
        return true;
      }
      field
          .deprecation()
          .ifPresent(
              sentence ->
                  at.warning(
                      Rule.FIELD_DEPRECATED,
                      entry.keyPosition(),
                      "'" + field.name + "' has no effect any more; " + sentence));
      int errorsBefore = at.errorCount();
      T value = field.read(entry.value(), at);
      if (at.errorCount() == errorsBefore) {
        boolean unset = value == null && !field.keepsNull();
        values.put(field.component(), unset ? field.unwritten(at) : value);
        return value != null || !field.isRequired();
      }
      failed.add(field.name);
      // The record is still made where it can be, so that rules over the other fields are checked
      // too.
      values.put(field.component(), field.unwritten(at));
      return !field.isRequired();
    }

    @Override
    public void error(Rule rule, String field, String message) {
      Node.Mapping.Entry entry = mapping.entries().get(field);
      (entry == null ? reading : reading.field(field))
          .error(rule, entry == null ? mapping.position() : entry.keyPosition(), message);
    }

    @Override
    public void warning(Rule rule, String field, String message) {
      Node.Mapping.Entry entry = mapping.entries().get(field);
      (entry == null ? reading : reading.field(field))
          .warning(rule, entry == null ? mapping.position() : entry.keyPosition(), message);
    }

    @Override
    public Node node(String field) {
      Node.Mapping.Entry entry = mapping.entries().get(field);
      return entry == null ? new Node.Sequence(mapping.position(), List.of()) : entry.value();
    }

    @Override
    public Reading at(String field) {
      return reading.field(field);
    }

    @Override
    public boolean isWritten(String field) {
      Node.Mapping.Entry entry = mapping.entries().get(field);
      // The normalised form holds filled defaults beside what the user wrote; they cannot be told
      // apart there, and were not in conflict when they were filled.
      return !reading.isNormal() && entry != null && !entry.value().isAbsent();
    }
  }
}
