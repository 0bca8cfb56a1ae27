package dev.berth.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a simulated cloud has written down in its own file, also of machines that are gone, and what
 * stands for its machines.
 *
 * @param folder where the cloud keeps all that
 */
record CloudRecords(Path folder) {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** The number of the state stands before the first line. */
  private static final int NUMBER_DIGITS = 19;

  /**
   * A machine, and for how long it was billed.
   *
   * @param id the cloud's own
   * @param key what it was ordered with
   * @param deletedAt when its deletion was asked for
   * @param goneAt until when it was billed
   */
  record Machine(
      String id,
      String key,
      Instant createdAt,
      @Nullable Instant deletedAt,
      @Nullable Instant goneAt) {
    private static Machine of(JsonNode thing) {
      JsonNode life = thing.get("life");
      return new Machine(
          thing.get("id").asString(),
          thing.get("key").asString(),
          Instant.parse(life.get("createdAt").asString()),
          time(life.get("deletedAt")),
          time(life.get("goneAt")));
    }

    private static @Nullable Instant time(JsonNode written) {
      return written.isNull() ? null : Instant.parse(written.asString());
    }
  }

  /**
   * A job that was rented.
   *
   * @param endedWell whether it ended by itself, with success, before anybody took it away
   * @param released whether its place was given back
   */
  record Job(String key, boolean endedWell, boolean released) {
    private static Job of(JsonNode job) {
      JsonNode wish = job.get("wish");
      JsonNode start = job.get("course").get("startAt");
      JsonNode removed = job.get("removedAt");
      boolean untilItsEnd =
          !start.isNull()
              && !removed.isNull()
              && !Instant.parse(start.asString())
                  .plus(Duration.parse(wish.get("length").asString()))
                  .isAfter(Instant.parse(removed.asString()));
      return new Job(
          job.get("key").asString(),
          untilItsEnd && wish.get("code").asInt() == 0 && job.get("ending").get("stopAt").isNull(),
          !removed.isNull());
    }
  }

  static CloudRecords of(TestHome home, String backend) {
    return new CloudRecords(home.folder().resolve("server/backend-data/" + backend + "@main"));
  }

  /** All machines that were ever made, in their order; a cloud forgets them after an hour. */
  Collection<Machine> machines() {
    Map<Long, Machine> machines = new TreeMap<>();
    for (JsonNode thing : written("things")) {
      if (thing.get("type").asString().equals("INSTANCE")) {
        machines.put(thing.get("number").asLong(), Machine.of(thing));
      }
    }
    return machines.values();
  }

  /** All jobs that were ever rented; they are forgotten after an hour, too. */
  Collection<Job> jobs() {
    Map<String, Job> jobs = new TreeMap<>();
    for (JsonNode job : written("jobs")) {
      jobs.put(job.get("id").asString(), Job.of(job));
    }
    return jobs.values();
  }

  /** Everything of a kind that was written, the newest state of each last. */
  private List<JsonNode> written(String kind) {
    try {
      List<JsonNode> all = new ArrayList<>();
      for (String line :
          Files.readString(folder.resolve("cloud.json")).substring(NUMBER_DIGITS).split("\n")) {
        JSON.readTree(line).get(kind).forEach(all::add);
      }
      return all;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The folders that stand for machines. */
  List<String> machineFolders() {
    try (Stream<Path> folders = Files.list(folder.resolve("machines"))) {
      return folders.map(path -> path.getFileName().toString()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
