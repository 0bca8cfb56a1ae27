package dev.berth.hosts.jobdir;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.FileAccess;
import dev.berth.hosts.access.FileFacts;
import dev.berth.hosts.access.FolderQuery;
import dev.berth.hosts.access.MachineFiles;
import dev.berth.hosts.access.MachinePath;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The folder of one attempt of a job: everything that is to be done, and everything that is known
 * of it. Mode 0700.
 *
 * <p>A job in a container sees this folder and may write to it, as root even where we are not. So
 * what it finds there is read by the rules of {@link MachineFiles}, never more of it than makes
 * sense, and decides only about the job itself. What we obey is in another folder, which no
 * container sees: the order in {@code container}, {@code prepared}, {@code launched}, {@code
 * direct} with {@code deadline}, and {@code registry}.
 *
 * <p>Written before the start, by whoever prepares; the folder appears whole or not at all:
 *
 * <ul>
 *   <li>{@code spec}: shell, working directory, durations, event file and cgroup, as shell
 *       assignments
 *   <li>{@code commands}: the commands, as a script for the job's shell
 *   <li>{@code job.env}, mode 0600: the variables, each as an {@code export} of a single-quoted
 *       word
 *   <li>{@code cgroups}: the cgroups that the job enters, one a line
 *   <li>{@code secrets}: the names of variables whose values are in no file: the runner is given
 *       them in its environment
 *   <li>{@code prepared}: the boot id of the machine. An unclaimed job of another boot is lost, not
 *       started: the claim may have been lost with the power, and the job must not run twice. So
 *       nothing here needs to be synced
 *   <li>{@code work}: the working directory of jobs that name none
 *   <li>{@code stdout}, {@code stderr}: the job's bytes, unchanged, only ever appended to. When the
 *       job has ended the bytes of its secrets are replaced by as many {@code *}
 * </ul>
 *
 * <p>Written by the runner:
 *
 * <ul>
 *   <li>{@code runner}: the claim, {@code pid start-ticks boot-id} of the runner. Whoever creates
 *       it decides: a runner runs the job; a stop before the start links {@code refused reason
 *       milliseconds} here, and a sentence below it where there is one, and the job never runs
 *   <li>{@code watcher}: {@code pid start-ticks} of the process that TERM makes look at {@code
 *       stop} at once
 *   <li>{@code process}: {@code pid start-ticks} of the job; its modification time is the time of
 *       the start
 *   <li>{@code heartbeat}: rewritten every one to four seconds; {@code look.0}, {@code look.1}:
 *       when the runner last looked for new output
 *   <li>{@code index}: {@code epoch-seconds stdout-size stderr-size}, at most a line a second, only
 *       when sizes changed
 *   <li>{@code metrics}: {@code epoch-seconds processor-milliseconds memory-bytes}, every ten
 *       seconds
 *   <li>{@code ending}: the reason, once the runner has begun to end the job; {@code ended}: the
 *       code of the main command, while what it left behind is being ended
 *   <li>{@code failure}: a sentence that says why the job could not start; {@code warnings}: what
 *       was not as asked; {@code tracked}: all of the job is in its cgroup; {@code runner.log}:
 *       what the runner itself printed
 *   <li>{@code masked}: no secret is left in the output
 *   <li>{@code exit}: {@link ExitRecord}, by rename, when none of the job's processes is left
 * </ul>
 *
 * <p>Written by whoever stops: {@code stop}, by rename: {@code grace-hundredths reason}.
 */
public class JobDirectory {
  public static final String WORK = "work";
  public static final String PREPARED = "prepared";

  /** What is to be run in a container. */
  public static final String CONTAINER = "container";

  /** Told that the engine started the container, so that nobody starts it again. */
  public static final String LAUNCHED = "launched";

  /** Marks a job that has no runner. */
  public static final String DIRECT = "direct";

  /** Marks a job that ended because its engine did. */
  public static final String LOST = "lost";

  /** When a job that has no runner is killed, in milliseconds since 1970. */
  public static final String DEADLINE = "deadline";

  /** The name and password at a registry, on a line each; deleted after the pull. */
  public static final String REGISTRY = "registry";

  /** The claim. */
  static final String RUNNER = "runner";

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

  /** What only we write, and obey. */
  private static final Set<String> OWN =
      Set.of(CONTAINER, PREPARED, LAUNCHED, DIRECT, LOST, DEADLINE, REGISTRY);

  /** What grows by a line now and then for as long as a job runs. */
  private static final Set<String> HISTORIES = Set.of("index", "metrics");

  /** Far more than a runner writes, and than a person reads. */
  private static final int MOST_TEXT = 64 * 1024;

  /** Some ten days of a line a second. */
  private static final int MOST_HISTORY = 32 * 1024 * 1024;

  /** Nobody can count with all times that a file may be given. */
  private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

  /** What tells the state of a job. */
  private static final List<String> STATE_TEXTS =
      List.of("exit", RUNNER, "process", PREPARED, "failure", JobWarnings.FILE);

  private static final List<String> STATE_FILES =
      List.of("process", "exit", "heartbeat", RUNNER, "stdout", "stderr");

  private final MachinePath path;
  private final MachinePath own;
  private final MachineFiles files;

  /** One that nobody but we and jobs of our own user see. */
  public JobDirectory(MachineFiles files, MachinePath path) {
    this(files, path, path);
  }

  private JobDirectory(MachineFiles files, MachinePath path, MachinePath own) {
    this.path = path;
    this.own = own;
    this.files = files;
  }

  /**
   * One that a container sees.
   *
   * @param orders the folder where what it must not see is in a folder of the same name
   */
  static JobDirectory shared(MachineFiles files, MachinePath path, MachinePath orders) {
    return new JobDirectory(files.stagedIn(orders), path, orders.resolve(path.name()));
  }

  /** A stop request: how long the job may take, and why it ends. */
  public record StopRequest(long graceHundredths, ExitReason reason) {}

  /** Refuses whatever could name another folder, or be mistaken for one of our temporary ones. */
  static String requireValidId(String attemptId) {
    if (!isValidId(attemptId)) {
      throw new HostException(
          HostException.Code.INVALID,
          "'%s' cannot name an attempt: up to 128 letters, digits, '.', '_' and '-', starting with a letter or digit"
              .formatted(attemptId));
    }
    return attemptId;
  }

  public static boolean isValidId(String attemptId) {
    return ID.matcher(attemptId).matches();
  }

  public MachinePath path() {
    return path;
  }

  /** Whose it is. */
  public String attemptId() {
    return path.name();
  }

  /** The folder of what only we see and write; the same where no container sees the job's. */
  MachinePath own() {
    return own;
  }

  public MachinePath file(String name) {
    return (OWN.contains(name) ? own : path).resolve(name);
  }

  /** What is to be looked at to tell the state of the job. */
  FolderQuery stateQuery() {
    return new FolderQuery(
        path,
        STATE_TEXTS.stream().map(this::file).toList(),
        MOST_TEXT,
        STATE_FILES.stream().map(this::file).toList(),
        file(RUNNER));
  }

  /** What is seen of the state now. */
  JobView view() {
    return new JobView(this, files.look(List.of(stateQuery())).getFirst());
  }

  /** Whether there is a plain file of a name. */
  public boolean has(String name) {
    return files.find(file(name)).isPresent();
  }

  public boolean exists() {
    return files.isFolder(path);
  }

  /** The text of a small file, no more of it than makes sense; empty when there is none. */
  public Optional<String> text(String name) {
    int most = OWN.contains(name) ? Integer.MAX_VALUE : MOST_TEXT;
    return read(name, 0, most).map(JobDirectory::decoded);
  }

  private static String decoded(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Deletes a file; silent where there is none. */
  public void delete(String name) {
    files.delete(file(name));
  }

  /**
   * The lines of a file that a runner may be appending to; a line that is not complete is left for
   * the next time. Of a history that is too long, the last.
   */
  public List<String> lines(String name) {
    List<String> lines = new ArrayList<>();
    String text = HISTORIES.contains(name) ? history(name) : text(name).orElse("");
    int start = 0;
    for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      lines.add(text.substring(start, end));
      start = end + 1;
    }
    return lines;
  }

  private String history(String name) {
    long from = Math.max(0, size(name) - MOST_HISTORY);
    String text = read(name, from, MOST_HISTORY).map(JobDirectory::decoded).orElse("");
    return from == 0 ? text : text.substring(text.indexOf('\n') + 1);
  }

  /** The control groups that the job entered. */
  public List<MachinePath> controlGroups() {
    return lines("cgroups").stream().map(MachinePath::of).toList();
  }

  public long size(String name) {
    return files.find(file(name)).map(FileFacts::size).orElse(0L);
  }

  public Optional<Instant> modified(String name) {
    return files.find(file(name)).map(JobDirectory::usableTime);
  }

  /** When a file was written, or else the nearest moment that one can count with. */
  static Instant usableTime(FileFacts facts) {
    Instant at = facts.modified();
    if (at.isAfter(LATEST)) {
      return LATEST;
    }
    return at.isBefore(Instant.EPOCH) ? Instant.EPOCH : at;
  }

  public Optional<ExitRecord> exit() {
    return text("exit").flatMap(ExitRecord::parse);
  }

  public Optional<StopRequest> stopRequest() {
    return text("stop")
        .map(text -> text.strip().split(" "))
        .filter(words -> words.length == 2 && words[0].matches("[0-9]{1,18}"))
        .flatMap(
            words ->
                ExitReason.find(words[1])
                    .map(reason -> new StopRequest(Long.parseLong(words[0]), reason)));
  }

  /**
   * Bytes of a file from an offset, at most {@code maxBytes}, fewer only at the end of the file.
   */
  byte[] bytes(String name, long offset, int maxBytes) {
    return read(name, offset, maxBytes).orElse(new byte[0]);
  }

  private Optional<byte[]> read(String name, long offset, int most) {
    return files.read(file(name), offset, most);
  }

  /** Creates a folder in it. */
  public void createFolder(String name) {
    files.createFolder(file(name), FileAccess.EVERYBODY);
  }

  /** Puts an input to where it belongs, relative to a folder of the machine. May be repeated. */
  public void place(Input input, MachinePath folder) {
    MachinePath target = folder.resolve(input.target()).normalized();
    switch (input) {
      case InputFile file -> files.copy(file.source(), target);
      case InputArchive archive -> unpack(archive, target);
    }
  }

  private void unpack(InputArchive archive, MachinePath target) {
    try (InputStream tar = archive.source().open()) {
      files.unpack(tar, target, archive.name());
    } catch (IOException failure) {
      throw new HostException(
          HostException.Code.INPUT,
          "the uploaded files of %s cannot be read".formatted(archive.name()),
          failure);
    }
  }

  /** Creates a file that only the owner may read. */
  public void create(String name, String content) {
    files.create(file(name), content);
  }

  /** Replaces a file as a whole: a reader sees the old or the new content. */
  public void replace(String name, String content) {
    files.replace(file(name), content, FileAccess.OWNER);
  }

  /** Asks the runner to end the job. */
  void requestStop(StopRequest request) {
    String line = request.graceHundredths() + " " + request.reason().word() + "\n";
    files.replace(file("stop"), line, FileAccess.EVERYBODY);
  }

  /** Creates a file with its content in one step; false when it is there already. */
  public boolean createOnce(String name, String content) {
    return files.createOnce(file(name), content);
  }

  /** Notes when what a file tells of happened. */
  public void setModified(String name, Instant time) {
    files.setModified(file(name), time);
  }

  /** Appends to the output of a job that has no runner. */
  public void append(OutputStreamName stream, byte[] bytes, int offset, int length) {
    files.append(file(stream.file()), bytes, offset, length);
  }
}
