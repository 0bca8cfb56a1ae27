package dev.berth.client.files;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A clone on the user's machine: where it comes from, the newest of its commits that is there too,
 * and how its files differ from that commit, whether that is committed or not.
 *
 * @param root the folder of the clone
 * @param url the address that others can clone from, without credentials
 * @param hadCredentials whether the address had a user, a token or a password in it
 * @param branch a branch of the remote that has the commit
 * @param changed the files that differ or are new, by their paths from the root
 * @param removed what is to be removed from the commit before the changed files are put over it
 */
public record GitClone(
    Path root,
    String url,
    boolean hadCredentials,
    String branch,
    String commit,
    List<String> changed,
    List<String> removed) {
  /** A token may stand where the user does, so that of web addresses all of it is left out. */
  private static final Pattern WEB_CREDENTIALS = Pattern.compile("(?i)(https?://)[^/?#]*@");

  /** The user of any other address is part of it, as {@code git} is with SSH. */
  private static final Pattern PASSWORD = Pattern.compile("^([a-zA-Z0-9+.-]+://[^/@:]*):[^/]*@");

  public GitClone {
    changed = List.copyOf(changed);
    removed = List.copyOf(removed);
  }

  /** Whether the files are those of the commit. */
  public boolean isUnchanged() {
    return changed.isEmpty() && removed.isEmpty();
  }

  /**
   * Looks at a clone.
   *
   * @throws PackingException where it is none, or comes from nowhere, or nothing of it is there
   */
  public static GitClone lookAt(Path folder) {
    Path root =
        new GitCommand(folder)
            .ask("rev-parse", "--show-toplevel")
            .map(Path::of)
            .orElseThrow(
                () ->
                    new PackingException(
                        folder + " is not a git repository; use 'files' for other folders", null));
    GitCommand git = new GitCommand(root);
    String branch = git.ask("symbolic-ref", "-q", "--short", "HEAD").orElse("");
    String remote = remote(git, root, branch);
    String commit = pushedCommit(git, root, remote);
    List<String> differing = new ArrayList<>();
    List<String> removed = new ArrayList<>();
    compare(git, root, commit, differing, removed);
    String address = git.ask("remote", "get-url", remote).orElseThrow(() -> noRemote(root));
    String url = withoutCredentials(address);
    return new GitClone(
        root,
        url,
        !url.equals(address),
        remoteBranch(git, remote, commit, branch),
        commit,
        differing,
        removed);
  }

  private static String withoutCredentials(String address) {
    String web = WEB_CREDENTIALS.matcher(address).replaceFirst("$1");
    return PASSWORD.matcher(web).replaceFirst("$1@");
  }

  private static String remote(GitCommand git, Path root, String branch) {
    Optional<String> followed =
        branch.isEmpty() ? Optional.empty() : git.ask("config", "branch." + branch + ".remote");
    List<String> remotes = git.demand("remote").lines().toList();
    return followed
        .filter(remotes::contains)
        .or(() -> Optional.of("origin").filter(remotes::contains))
        .or(() -> remotes.stream().findFirst())
        .orElseThrow(() -> noRemote(root));
  }

  private static PackingException noRemote(Path root) {
    return new PackingException(
        root
            + " has no remote that a job could clone it from; add one and push to it, or use"
            + " 'files'",
        null);
  }

  /** The newest commit of ours that the remote has, as far as this clone knows. */
  private static String pushedCommit(GitCommand git, Path root, String remote) {
    String head =
        git.ask("rev-parse", "--verify", "-q", "HEAD")
            .orElseThrow(() -> new PackingException(root + " has no commit yet", null));
    List<String> ahead =
        git.demand("rev-list", "--topo-order", "--boundary", "HEAD", "--not", "--remotes=" + remote)
            .lines()
            .toList();
    if (ahead.isEmpty()) {
      return head;
    }
    return ahead.stream()
        .filter(line -> line.startsWith("-"))
        .map(line -> line.substring(1))
        .findFirst()
        .orElseThrow(
            () ->
                new PackingException(
                    "nothing of "
                        + root
                        + " was pushed to '"
                        + remote
                        + "', so that a job could not clone it; push it first, or use 'files'",
                    null));
  }

  private static String remoteBranch(GitCommand git, String remote, String commit, String current) {
    String followed =
        git.ask("config", "branch." + current + ".merge")
            .map(merge -> merge.replaceFirst("^refs/heads/", ""))
            .orElse(current);
    List<String> having =
        git.demand(
                "for-each-ref",
                "--contains=" + commit,
                "--format=%(refname:lstrip=3)",
                "refs/remotes/" + remote)
            .lines()
            .filter(name -> !name.equals("HEAD"))
            .toList();
    return having.contains(followed) || having.isEmpty() ? followed : having.getFirst();
  }

  private static void compare(
      GitCommand git, Path root, String commit, List<String> changed, List<String> removed) {
    TreeSet<String> paths = new TreeSet<>(Comparator.naturalOrder());
    paths.addAll(
        git.paths("diff", "--name-only", "--no-renames", "--ignore-submodules", "-z", commit));
    paths.addAll(git.paths("ls-files", "--others", "--exclude-standard", "-z"));
    TreeSet<String> same =
        new TreeSet<>(
            git.paths("diff", "--name-only", "--no-renames", "--diff-filter=M", "-z", commit));
    for (String path : paths) {
      if (path.indexOf('\n') >= 0) {
        throw new PackingException(
            "the name of '" + path + "' has a line break, so it cannot be sent", null);
      }
      // Git names a folder that is a repository of its own; it is not ours to send.
      if (path.endsWith("/")) {
        continue;
      }
      if (Files.exists(root.resolve(path), LinkOption.NOFOLLOW_LINKS)) {
        changed.add(path);
      }
      // A file may stand where there was a folder, or a link.
      if (!same.contains(path)) {
        removed.add(path);
      }
    }
  }

  /** A commit as people write it. */
  public String shortCommit() {
    return commit.substring(0, Math.min(10, commit.length()));
  }

  /** What one reads of it before a run. */
  public String summary() {
    return url
        + " at "
        + shortCommit()
        + " ("
        + branch
        + ")"
        + (isUnchanged() ? "" : ", with " + count() + " of yours");
  }

  private String count() {
    TreeSet<String> paths = new TreeSet<>(changed);
    paths.addAll(removed);
    return paths.size() == 1 ? "1 change" : paths.size() + " changes";
  }

  /** The branch, where there is one. */
  public @Nullable String branchOrNull() {
    return branch.isEmpty() ? null : branch;
  }
}
