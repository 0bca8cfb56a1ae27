package dev.berth.planning.jobs;

import dev.berth.model.JobSpec;
import dev.berth.model.SecretText;
import dev.berth.model.Sha256;
import dev.berth.model.config.FileMapping;
import dev.berth.model.config.RepoSpec;
import dev.berth.model.config.RunSettings;
import dev.berth.planning.Unsupported;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a job gets the repository of its run: commands before its own that clone it at a commit and
 * put the user's changes over it, so that every place that runs commands and takes files can do it.
 *
 * <p>Credentials are variables that only git's own questions read. They are on no command line and
 * in no file, and the job's commands do not get them.
 */
final class RepositoryCheckout {
  private static final String TOKEN = "BERTH_REPOSITORY_TOKEN";
  private static final String KEY = "BERTH_REPOSITORY_KEY";
  private static final Pattern COMMIT = Pattern.compile("[0-9a-fA-F]{4,64}");
  private static final Pattern WEB = Pattern.compile("https?://.*");

  /** A token may stand where the user does, so that nothing may. */
  private static final Pattern WEB_CREDENTIALS = Pattern.compile("(?i)https?://[^/?#]*@");

  private static final Pattern PASSWORD = Pattern.compile("^[a-zA-Z0-9+.-]+://[^/@]*:[^/]*@");

  /** Runs that are older than the refusal may have a user in their address. */
  private static final Pattern USER_IN_URL = Pattern.compile("(https?://)(?:([^/@]*)@)?([^/]+).*");

  /** A user and the secret that is for it. */
  private static final Pattern USER_IN_TOKEN = Pattern.compile("([^\\s:${}]+):(\\$\\{\\{.*)");

  private final RepoSpec repository;
  private final RunSettings run;
  private final String project;

  private RepositoryCheckout(RepoSpec repository, RunSettings run, String project) {
    this.repository = repository;
    this.run = run;
    this.project = project;
  }

  /** What the run's repository asks of its jobs; null where it has none that could be cloned. */
  static @Nullable RepositoryCheckout of(RunSettings run, String project) {
    return run.repos().isEmpty() || run.repos().getFirst().url() == null
        ? null
        : new RepositoryCheckout(run.repos().getFirst(), run, project);
  }

  /** Why a repository cannot be cloned as it is written. */
  static void refuse(RunSettings run, List<Unsupported> found) {
    if (run.repos().isEmpty()) {
      return;
    }
    RepoSpec repository = run.repos().getFirst();
    String url = repository.url();
    if (url == null) {
      refuse(
          found,
          "",
          "'local_path' only works with berth apply; other clients send 'url', 'hash' and an upload"
              + " of the 'changes'");
      return;
    }
    if (WEB_CREDENTIALS.matcher(url).find()) {
      refuse(
          found,
          ".url",
          "an address with credentials would be stored with the run. Remove them, save the token"
              + " with 'berth secret set NAME' and write token: ${{ secrets.NAME }}, or token:"
              + " USER:${{ secrets.NAME }} if a user name is needed");
    } else if (PASSWORD.matcher(url).find()) {
      refuse(
          found,
          ".url",
          "an address with a password would be stored with the run. Save the password with 'berth"
              + " secret set NAME' and write token: ${{ secrets.NAME }}");
    }
    String hash = repository.hash();
    if (hash != null && !COMMIT.matcher(hash).matches()) {
      refuse(found, ".hash", "expected a commit hash of 4 to 64 hexadecimal digits");
    }
    String branch = repository.branch();
    if (branch != null && (branch.isBlank() || branch.startsWith("-"))) {
      refuse(found, ".branch", "this is not a valid branch name");
    }
    secret(found, ".token", repository.token());
    secret(found, ".ssh_key", repository.sshKey());
    if (repository.token() != null && !WEB.matcher(url).matches()) {
      refuse(
          found, ".token", "'token' only works with http(s) addresses; use 'ssh_key' for this one");
    }
    if (repository.sshKey() != null && WEB.matcher(url).matches()) {
      refuse(
          found, ".ssh_key", "'ssh_key' only works with SSH addresses; use 'token' for this one");
    }
  }

  private static void secret(List<Unsupported> found, String field, @Nullable String text) {
    if (text != null && SecretReferences.parse("", text).secrets().isEmpty()) {
      refuse(
          found,
          field,
          "credentials are not stored with runs; save it with 'berth secret set NAME' and write ${{"
              + " secrets.NAME }} here");
    }
  }

  private static void refuse(List<Unsupported> found, String field, String message) {
    found.add(new Unsupported("repos[0]" + field, message));
  }

  /** The texts with secrets in them, by the paths of their fields. */
  static Map<String, String> secretTexts(RunSettings run) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (RepoSpec repository : run.repos()) {
      texts.put("repos[0].token", Objects.requireNonNullElse(repository.token(), ""));
      texts.put("repos[0].ssh_key", Objects.requireNonNullElse(repository.sshKey(), ""));
    }
    return texts;
  }

  /** The variables with credentials. */
  Map<String, SecretText> secrets() {
    Map<String, SecretText> variables = new LinkedHashMap<>();
    if (repository.token() != null) {
      Matcher withUser = USER_IN_TOKEN.matcher(repository.token());
      variables.put(
          TOKEN,
          SecretReferences.parse(
              project, withUser.matches() ? withUser.group(2) : repository.token()));
    }
    if (repository.sshKey() != null) {
      variables.put(KEY, SecretReferences.parse(project, repository.sshKey()));
    }
    return variables;
  }

  /** What tells repositories apart, as dstack's jobs know it. */
  String id() {
    return Sha256.of(url().getBytes(StandardCharsets.UTF_8)).substring(0, 16);
  }

  /** The user's changes, where the commands look for them. */
  List<JobSpec.File> files() {
    String changes = repository.changes();
    return changes == null
        ? List.of()
        : List.of(new JobSpec.File("your changes", folder(changes), project + "/" + changes));
  }

  private static String folder(String changes) {
    return ".berth-changes-" + changes.substring(0, 16);
  }

  /** What comes before the job's own commands. */
  List<String> commands() {
    // As dstack does it for tasks.
    boolean single = !Boolean.FALSE.equals(run.singleBranch());
    String changes = repository.changes();
    List<String> words = new ArrayList<>();
    words.add("sh -c " + quote(RepositoryScript.TEXT) + " berth " + place());
    words.add(quote(url()));
    words.add(quote(Objects.requireNonNullElse(repository.branch(), "")));
    words.add(quote(Objects.requireNonNullElse(repository.hash(), "")));
    words.add(single ? "single" : "all");
    words.add(repository.ifExists() == RepoSpec.IfExists.SKIP ? "skip" : "error");
    words.add(quote(changes == null ? "" : folder(changes)));
    words.add(quote(credentials()));
    neighbours().forEach(name -> words.add(quote(name)));
    List<String> commands = new ArrayList<>();
    commands.add(String.join(" ", words));
    commands.add("unset " + TOKEN + " " + KEY);
    commands.add("BERTH_REPO_DIR=$(cd -- " + place() + " && pwd)");
    commands.add("export BERTH_REPO_DIR DSTACK_REPO_DIR=\"$BERTH_REPO_DIR\"");
    return commands;
  }

  private String url() {
    return Objects.requireNonNull(repository.url(), "runs without an address are refused");
  }

  /** For whom alone the token is, and the name that goes with it. */
  private String credentials() {
    String token = repository.token();
    Matcher parts = USER_IN_URL.matcher(url());
    if (token == null || !parts.matches()) {
      return "";
    }
    Matcher withUser = USER_IN_TOKEN.matcher(token);
    String user =
        withUser.matches() ? withUser.group(1) : Objects.requireNonNullElse(parts.group(2), "");
    return (user.isEmpty() ? "git" : user) + " " + parts.group(1) + parts.group(3);
  }

  /** The folder of the repository as a word of the shell. */
  private String place() {
    String path = repository.path();
    if (path.equals("~")) {
      return "\"$HOME\"";
    }
    return path.startsWith("~/") ? "\"$HOME\"/" + quote(path.substring(2)) : quote(path);
  }

  /** What the run itself puts into the folder before it is looked at. */
  private List<String> neighbours() {
    List<String> names = new ArrayList<>();
    for (FileMapping file : run.files()) {
      String inside = inside(plain(repository.path()), plain(file.path()));
      if (!inside.isEmpty()) {
        names.add(inside);
      }
    }
    return names;
  }

  /** The first step from a folder to a path in it; empty where the path is elsewhere. */
  private static String inside(String folder, String path) {
    String prefix = folder.isEmpty() || folder.endsWith("/") ? folder : folder + "/";
    boolean same = path.startsWith("/") == folder.startsWith("/");
    if (!same || !path.startsWith(prefix) || path.startsWith("~") != folder.startsWith("~")) {
      return "";
    }
    String rest = path.substring(prefix.length());
    int slash = rest.indexOf('/');
    return slash < 0 ? rest : rest.substring(0, slash);
  }

  /** A path without dots and doubled slashes. */
  private static String plain(String path) {
    List<String> parts = new ArrayList<>();
    for (String part : List.of(path.split("/"))) {
      if (part.equals("..") && !parts.isEmpty() && !parts.getLast().equals("..")) {
        parts.removeLast();
      } else if (!part.isEmpty() && !part.equals(".")) {
        parts.add(part);
      }
    }
    return (path.startsWith("/") ? "/" : "") + String.join("/", parts);
  }

  private static String quote(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
