package dev.berth.hosts.container;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.ControlGroups;
import dev.berth.hosts.access.MachinePath;
import dev.berth.hosts.docker.Accounts;
import dev.berth.hosts.docker.ContainerFacts;
import dev.berth.hosts.docker.ContainerSpec;
import dev.berth.hosts.docker.Engine;
import dev.berth.hosts.docker.EngineException;
import dev.berth.hosts.docker.EngineRefusal;
import dev.berth.hosts.docker.ImageFacts;
import dev.berth.hosts.images.ImagePull;
import dev.berth.hosts.images.ImageRules;
import dev.berth.hosts.images.PulledImages;
import dev.berth.hosts.jobdir.JobDirectory;
import dev.berth.hosts.jobdir.JobStore;
import dev.berth.hosts.jobdir.JobWarnings;
import dev.berth.hosts.jobdir.ShellJob;
import dev.berth.hosts.jobdir.ShellText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Brings one prepared job to its container: pulls the image, makes the container, starts it. Each
 * step may have been done before, by us or by a server that was killed, and is then left as it is.
 */
final class ContainerLaunch {
  /** How often what the host cannot give is left out before the job is given up. */
  private static final int MOST_REFUSALS = 4;

  /** How often an engine may fail before the job is given up; with the pauses, some seconds. */
  private static final int MOST_FAILURES = 5;

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

  /** A minute: an engine on a busy machine takes many seconds to start a container. */
  private static final int MOST_WAITS = 1200;

  private final DockerHost host;
  private final Engine engine;
  private final JobStore store;
  private final JobDirectory directory;
  private final ContainerJob job;
  private final String name;
  private final ImagePull pull;
  private final DirectJobs direct;
  private final RunNetworks networks;
  private final AtomicInteger failures = new AtomicInteger();

  ContainerLaunch(
      DockerHost host,
      JobStore store,
      DirectJobs direct,
      PulledImages pulled,
      RunNetworks networks,
      String attemptId) {
    this.host = host;
    this.engine = host.engine();
    this.store = store;
    this.direct = direct;
    this.networks = networks;
    this.directory = store.directory(attemptId);
    this.job = ContainerJob.read(directory);
    this.name = ContainerPaths.name(attemptId);
    this.pull = new ImagePull(engine, job.image(), pulled, host.clock());
  }

  /** Counts a failure that may pass; false where there were too many of them. */
  boolean mayTryAgain() {
    return failures.incrementAndGet() < MOST_FAILURES;
  }

  /** How far it is, for a person. */
  String words() {
    return pull.words().orElse("preparing the container");
  }

  void giveUp() {
    pull.giveUp();
  }

  /**
   * Does what is left to do.
   *
   * @throws HostException INVALID where the job can never start
   * @throws EngineException where the engine does not answer, so that it must be tried again
   */
  void run() {
    if (isClaimed(directory)) {
      return;
    }
    ImageFacts image = pull.ensure(directory, this::warn);
    directory.delete(JobDirectory.REGISTRY);
    ImageRules.mismatch(job.image(), image, engine.knownVersion())
        .ifPresent(
            sentence -> {
              throw new HostException(HostException.Code.INVALID, sentence);
            });
    Plan plan = plan(image);
    networks.ensure(job.network());
    if (!create(plan)) {
      return;
    }
    if (!directory.exists()) {
      // Removed meanwhile, and nobody else knows of the container.
      engine.remove(name);
      return;
    }
    if (!engine.hasFile(name, ContainerPaths.SHELL)) {
      withoutShell(plan, image);
      return;
    }
    write(plan, image);
    start(plan, () -> isClaimed(directory));
  }

  /** Runs the image's own program, where there is no shell that could run the job's. */
  private void withoutShell(Plan plan, ImageFacts image) {
    List<String> words = ImageRules.ownWords(image);
    if (!job.commands().isEmpty()
        || job.entrypoint() != null
        || !job.secrets().isEmpty()
        || !job.files().isEmpty()
        || words.isEmpty()) {
      throw new HostException(
          HostException.Code.INVALID,
          "the image %s has no %s, so it can only run the program that it names itself, without"
                  .formatted(job.image(), ContainerPaths.SHELL)
              + " commands, secrets or files of the job; name an image that has a shell");
    }
    engine.remove(name);
    Plan own = new Plan(plan.spec().directly(words, job.environment(), job.mounts()), plan.user());
    if (create(own) && direct.claim(directory)) {
      direct.follow(job.attemptId(), () -> start(own, this::hasBegun));
    }
  }

  private boolean hasBegun() {
    return engine.find(name).filter(this::hasBegun).isPresent();
  }

  /** Whether a runner has the job, or was started for it. */
  static boolean isClaimed(JobDirectory directory) {
    return directory.has("runner") || directory.has(JobDirectory.LAUNCHED);
  }

  /** What is made; its limits are what is left of those asked for. */
  private record Plan(ContainerSpec spec, String user) {}

  private Plan plan(ImageFacts image) {
    String user = ImageRules.user(job.user(), image);
    // An engine mounts only what is there.
    store.ensureEventFile(job.attemptId());
    List<ContainerSpec.Mount> mounts = new ArrayList<>();
    mounts.add(mount(directory.path(), ContainerPaths.JOB, false));
    mounts.add(mount(store.script(), ContainerPaths.RUNNER, true));
    mounts.add(mount(store.eventFile(job.attemptId()), ContainerPaths.EVENT, false));
    mounts.addAll(job.mounts());
    ContainerSpec spec =
        new ContainerSpec(
            image.id(),
            List.of(ContainerPaths.SHELL, ContainerPaths.RUNNER, "run", ContainerPaths.JOB),
            ImageRules.forEngine(user),
            engineDirectory(image),
            Map.of(),
            DockerLabels.of(host, job.attemptId()),
            mounts,
            job.limits(),
            job.devices(),
            job.network(),
            job.ports(),
            job.privileged());
    return new Plan(spec, user);
  }

  /** Engines make one that is missing; below the home, which they do not know, the runner does. */
  private String engineDirectory(ImageFacts image) {
    String asked = job.workingDirectory();
    return ImageRules.directory(asked != null && asked.startsWith("~") ? "/" : asked, "/", image);
  }

  private static ContainerSpec.Mount mount(MachinePath source, String target, boolean readOnly) {
    return new ContainerSpec.Mount(source.text(), target, readOnly);
  }

  /** False where it is there and was started before: then it must not be started again. */
  private boolean create(Plan plan) {
    ContainerSpec spec = plan.spec();
    for (int refusals = 0; ; refusals++) {
      try {
        engine.create(name, spec).stream().map(EngineRefusal::discarded).forEach(this::warn);
        return true;
      } catch (EngineException failure) {
        Optional<ContainerFacts> present =
            failure.isConflict() ? engine.find(name) : Optional.empty();
        if (present.isPresent()) {
          return !hasBegun(present.get());
        }
        if (failure.isConflict()) {
          throw new HostException(
              HostException.Code.MACHINE,
              "the container " + name + " is being made, or removed, by another",
              failure);
        }
        spec = afterRefusal(spec, failure, refusals);
      }
    }
  }

  /** Notes of a container that has ever run that it has, so that nobody starts it again. */
  private boolean hasBegun(ContainerFacts container) {
    if (container.isNew()) {
      return false;
    }
    directory.replace(JobDirectory.LAUNCHED, "");
    return true;
  }

  private void start(Plan plan, BooleanSupplier begun) {
    ContainerSpec spec = plan.spec();
    int waits = 0;
    int refusals = 0;
    while (!begun.getAsBoolean()) {
      try {
        engine.start(name);
        directory.replace(JobDirectory.LAUNCHED, "");
        return;
      } catch (EngineException failure) {
        if (hasBegun()) {
          return;
        }
        if (EngineRefusal.isBeingStarted(failure.words()) && waits < MOST_WAITS) {
          // Another server is at it; an engine tells nobody when that is over.
          LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
          waits++;
          continue;
        }
        spec = afterRefusal(spec, failure, refusals);
        refusals++;
        engine.remove(name);
        if (!create(new Plan(spec, plan.user()))) {
          return;
        }
      }
    }
  }

  /** What is tried next: with its network made again, or without what the host cannot give. */
  private ContainerSpec afterRefusal(ContainerSpec spec, EngineException failure, int refusals) {
    if (isNetworkGone(failure) && refusals < MOST_REFUSALS) {
      networks.ensure(job.network());
      return spec;
    }
    return without(spec, failure, refusals);
  }

  /**
   * Administrators remove networks that no container uses yet, too. Docker says so when the
   * container starts, and Podman when it is made.
   */
  private boolean isNetworkGone(EngineException failure) {
    return RunNetworks.isOfARun(job.network()) && EngineRefusal.isNetworkGone(failure.words());
  }

  /** The same without what the host cannot give. */
  private ContainerSpec without(ContainerSpec spec, EngineException failure, int refusals) {
    if (failure.isSilence()) {
      throw failure;
    }
    return switch (EngineRefusal.of(failure.words(), spec)) {
      case EngineRefusal.Without(ContainerSpec.Limits limits, String warning)
          when refusals < MOST_REFUSALS -> {
        warn(warning);
        yield spec.with(limits);
      }
      case EngineRefusal.Without(_, String warning) ->
          throw new HostException(HostException.Code.INVALID, warning, failure);
      case EngineRefusal.Later(String sentence) ->
          throw new HostException(
              mayTryAgain() ? HostException.Code.MACHINE : HostException.Code.INVALID,
              sentence,
              failure);
      case EngineRefusal.Final(String sentence) ->
          throw new HostException(HostException.Code.INVALID, sentence, failure);
    };
  }

  /** Writes what only the image could tell, for the runner. */
  private void write(Plan plan, ImageFacts image) {
    Accounts.Account account = account(plan.user());
    List<String> commands = ImageRules.commands(job.entrypoint(), job.commands(), image);
    if (commands.isEmpty()) {
      throw new HostException(
          HostException.Code.INVALID,
          "neither the job nor the image %s says what to run; set 'commands'"
              .formatted(job.image()));
    }
    String start = ImageRules.directory(job.workingDirectory(), account.home(), image);
    ShellJob shellJob =
        ContainerTranslation.shellJob(job, commands, start, new LinkedHashMap<>(job.environment()));
    String owner = host.machine().files().owner(store.events());
    directory.replace("job.env", ShellText.environment(shellJob));
    directory.replace("commands", ShellText.commands(commands));
    directory.replace("inputs", ContainerStaging.placing(job.files()));
    directory.replace(
        "spec",
        ShellText.settings(
                shellJob, MachinePath.of(ContainerPaths.EVENT), ControlGroups.Placement.NONE)
            + "owner="
            + (ImageRules.isRoot(plan.user()) && !owner.equals("0:0") ? owner : "")
            + "\n");
    if (!ImageRules.isRoot(plan.user())) {
      give(directory.path(), account);
      give(store.eventFile(job.attemptId()), account);
    }
  }

  private void give(MachinePath path, Accounts.Account account) {
    try {
      host.machine().files().give(path, account.uid(), account.gid());
    } catch (HostException failure) {
      throw new HostException(
          HostException.Code.INVALID,
          "the job's files cannot be given to the user %d of its image: the server must run as root for images with a user of their own, or the job as root ('user: root')"
              .formatted(account.uid()),
          failure);
    }
  }

  private Accounts.Account account(String user) {
    Accounts accounts =
        new Accounts(
            ImageFiles.only(engine.file(name, "/etc/passwd")),
            ImageFiles.only(engine.file(name, "/etc/group")));
    Optional<Accounts.Account> found = accounts.find(user);
    if (found.isEmpty() && ImageRules.isRoot(user)) {
      return new Accounts.Account(0, 0, "/root");
    }
    return found.orElseThrow(
        () ->
            new HostException(
                HostException.Code.INVALID,
                "the image %s has no user '%s'; set 'user' to another one, or to a numeric id"
                    .formatted(job.image(), user)));
  }

  private void warn(String sentence) {
    JobWarnings.add(directory, sentence);
  }
}
