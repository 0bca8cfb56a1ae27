package dev.berth.grammar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.config.EnvironmentVariable;
import dev.berth.model.config.TimeLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Random durations, schedules and variables, and text that means nothing. */
final class TextPropertiesTest {
  private static final int ROUNDS = 5_000;
  private static final Map<String, Duration> UNITS =
      new TreeMap<>(
          Map.of(
              "s", Duration.ofSeconds(1),
              "m", Duration.ofMinutes(1),
              "h", Duration.ofHours(1),
              "d", Duration.ofDays(1),
              "w", Duration.ofDays(7)));

  @Test
  void durationsAreReadAsTheyAreWritten() {
    Seeded.repeat(
        "durations",
        ROUNDS,
        random -> {
          int amount = random.from(0, 100_000);
          String unit = random.oneOf(List.copyOf(UNITS.keySet()));
          Duration expected = UNITS.getOrDefault(unit, Duration.ZERO).multipliedBy(amount);
          String text = random.spaces() + amount + random.spaces() + unit + random.spaces();
          assertThat(ReadOne.of(Durations.DURATION, text))
              .as(text)
              .isEqualTo(new ReadOne<>(expected, 0));
          assertThat(ReadOne.of(Durations.LIMIT, text))
              .as(text)
              .isEqualTo(new ReadOne<>(TimeLimit.of(expected), 0));
          assertThat(ReadOne.of(Durations.DURATION, String.valueOf(amount)))
              .isEqualTo(new ReadOne<>(Duration.ofSeconds(amount), 0));
        });
  }

  @Test
  void schedulesWithinBoundsAreAcceptedAndOthersNot() {
    Seeded.repeat(
        "schedules",
        ROUNDS,
        random -> {
          List<String> fields = schedule(random);
          String text = String.join(" " + random.spaces(), fields);
          assertThat(CronSyntax.complaint(text)).as(text).isNull();
          int wrong = random.from(0, 4);
          fields.set(
              wrong,
              random.oneOf(
                  List.of("60-61", "99", "*/0", "5-", "x", "1,,2", "-1", "*/60", "5-6/2")));
          String outside = String.join(" ", fields);
          assertThat(CronSyntax.complaint(outside)).as(outside).isNotBlank();
        });
  }

  private static List<String> schedule(Seeded random) {
    int[][] bounds = {{0, 59}, {0, 23}, {1, 31}, {1, 12}, {0, 6}};
    List<List<String>> words =
        List.of(
            List.of(), List.of(), List.of(), List.of("jan", "Feb", "DEC"), List.of("mon", "SUN"));
    List<String> fields = new ArrayList<>();
    for (int field = 0; field < bounds.length; field++) {
      List<String> items = new ArrayList<>();
      for (int i = random.from(1, 3); i > 0; i--) {
        int first = random.from(bounds[field][0], bounds[field][1]);
        int last = random.from(first, bounds[field][1]);
        int kind = random.from(0, 3);
        String item =
            switch (kind) {
              case 0 -> "*";
              case 1 -> first + "-" + last;
              case 2 ->
                  words.get(field).isEmpty()
                      ? String.valueOf(first)
                      : random.oneOf(words.get(field));
              default -> String.valueOf(first);
            };
        int width =
            switch (kind) {
              case 0 -> bounds[field][1] - bounds[field][0];
              case 1 -> last - first;
              // A word may stand for the last value of all.
              case 2 -> 1;
              default -> bounds[field][1] - first;
            };
        items.add(random.coin() ? item : item + "/" + random.from(1, Math.max(1, width)));
      }
      fields.add(String.join(",", items));
    }
    return fields;
  }

  @Test
  void variablesKeepTheirValuesToTheLetter() {
    Seeded.repeat(
        "variables",
        ROUNDS,
        random -> {
          List<EnvironmentVariable> expected =
              IntStream.range(0, random.from(0, 5))
                  .mapToObj(
                      i ->
                          new EnvironmentVariable(
                              "V" + i + random.oneOf(List.of("", "_x", "Y9")),
                              random.coin() ? random.garbage() : null))
                  .toList();
          List<Node> items = new ArrayList<>();
          Map<String, Object> tree = new LinkedHashMap<>();
          for (EnvironmentVariable variable : expected) {
            String value = variable.value();
            String line = value == null ? variable.name() : variable.name() + "=" + value;
            items.add(new Node.Scalar(Position.START, line, true));
            if (value != null) {
              tree.put(variable.name(), value);
            }
          }
          assertThat(ReadOne.of(Maps.ENVIRONMENT, new Node.Sequence(Position.START, items)))
              .isEqualTo(new ReadOne<>(expected, 0));
          assertThat(ReadOne.of(Maps.ENVIRONMENT, Node.ofPlain(tree)))
              .isEqualTo(
                  new ReadOne<>(
                      expected.stream().filter(variable -> variable.value() != null).toList(), 0));
        });
  }

  @Test
  void textThatMeansNothingIsReportedAndNeverThrows() {
    List<Shape<?>> shapes =
        List.of(
            RangeShape.COUNT,
            RangeShape.SIZE,
            Sizes.SIZE,
            Resources.CPU,
            Resources.GPU,
            Resources.VENDOR,
            Durations.DURATION,
            Words.CRON,
            Words.NAME,
            Words.USER,
            Words.PROBE_URL,
            Maps.ENVIRONMENT,
            Maps.TAGS,
            Mounts.MOUNT,
            Shorthands.PORT,
            Shorthands.FILE,
            Shorthands.REPO,
            Shorthands.REFERENCE,
            Addresses.PRIVATE_ADDRESS,
            Addresses.PRIVATE_NETWORK,
            ReplicaGroups.REPLICAS,
            Fleets.BLOCKS,
            Profiles.RETRY,
            Profiles.PRICE,
            Scalars.BOOLEAN,
            Scalars.integer(0, 100));
    Seeded.repeat(
        "garbage",
        ROUNDS,
        random -> {
          String text = random.garbage();
          for (Shape<?> shape : shapes) {
            ReadOne<?> read = ReadOne.of(shape, text);
            assertThat(read.value() == null)
                .as("%s reads '%s' as %s", shape.getClass(), text, read)
                .isEqualTo(read.errors() > 0);
          }
        });
  }

  @Test
  void aReferenceThatMeansNothingIsRefusedWithASentence() {
    Seeded.repeat(
        "references",
        ROUNDS,
        random -> {
          Reading reading = new Reading(Reading.Dialect.USER, false);
          Node node = new Node.Scalar(Position.START, "", true);
          String text = random.garbage() + "${{" + random.garbage();
          Interpolation.check(text, Interpolation.Place.COMMANDS, node, reading);
          assertThat(reading.errors()).allSatisfy(p -> assertThat(p.message()).isNotBlank());
        });
  }
}
