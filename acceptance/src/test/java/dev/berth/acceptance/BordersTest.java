package dev.berth.acceptance;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.elements.GivenClassesConjunction;
import dev.berth.model.Entity;
import dev.berth.model.config.Configuration;
import dev.berth.model.config.ProfileParams;
import dev.berth.model.config.RunConfiguration;
import dev.berth.model.config.RunSettings;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The borders between the modules, as DESIGN section 2 draws them. */
class BordersTest {
  private static final JavaClasses BERTH =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          // Nor those that other modules share.
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("dev.berth");

  /** Which modules of Berth each module may use, besides itself. */
  private static final Map<String, List<String>> MAY_USE =
      Map.ofEntries(
          entry("model", List.of()),
          entry("grammar", List.of("model")),
          entry("planning", List.of("grammar", "model")),
          entry("spi", List.of("model")),
          entry("catalog", List.of("model", "spi")),
          entry("decisions", List.of("model")),
          entry("ledger", List.of("model")),
          entry("control", List.of("decisions", "ledger", "spi", "catalog", "model")),
          entry("hosts", List.of("model", "spi")),
          entry(
              "server",
              List.of(
                  "control",
                  "decisions",
                  "ledger",
                  "hosts",
                  "catalog",
                  "spi",
                  "planning",
                  "grammar",
                  "model")),
          entry("client", List.of("model")),
          entry(
              "cli",
              List.of(
                  "client",
                  "server",
                  "catalog",
                  "spi",
                  "testkit",
                  "planning",
                  "grammar",
                  "model",
                  "control",
                  "ledger")),
          entry("testkit", List.of("spi", "model")),
          entry(
              "simulation",
              List.of("control", "backends", "decisions", "planning", "ledger", "spi", "model")),
          entry("backends", List.of("spi", "hosts", "catalog", "model")));

  private static final List<String> MODULES = MAY_USE.keySet().stream().sorted().toList();

  @Test
  void everyClassBelongsToAModuleOfTheTable() {
    Set<String> found = BERTH.stream().map(BordersTest::module).collect(Collectors.toSet());
    found.remove("acceptance");
    assertThat(found).containsExactlyInAnyOrderElementsOf(MODULES);
  }

  @ParameterizedTest
  @FieldSource("MODULES")
  void modulesUseOnlyWhatTheTableAllows(String module) {
    List<String> allowed = MAY_USE.getOrDefault(module, List.of());
    DescribedPredicate<JavaClass> forbidden =
        describe(
            "of modules other than " + allowed,
            used ->
                used.getPackageName().startsWith("dev.berth.")
                    && !module(used).equals(module)
                    && !allowed.contains(module(used)));
    noClasses()
        .that()
        .resideInAPackage(packages(module))
        .should()
        .dependOnClassesThat(forbidden)
        .because("data flows through the modules in one order, and each can be read by itself")
        .check(BERTH);
  }

  @Test
  void modelNeedsOnlyTheJdk() {
    classes()
        .that()
        .resideInAPackage(packages("model"))
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage("java..", "org.jspecify.annotations", "dev.berth.model.."))
        .because("everything stands on the nouns, so they must stand on nothing")
        .check(BERTH);
  }

  @Test
  void backendsSeeNoEntityOfTheLedger() {
    noClasses()
        .that()
        .resideInAPackage(packages("spi"))
        .or(resideInAPackage(packages("testkit")))
        .should()
        .dependOnClassesThat(assignableTo(Entity.class))
        .because("a component that is added to an entity must not break the jars of others")
        .check(BERTH);
  }

  @Test
  void decisionsKnowNoConfiguration() {
    noClasses()
        .that()
        .resideInAPackage(packages("decisions"))
        .should()
        .dependOnClassesThat(
            assignableTo(Configuration.class)
                .or(assignableTo(ProfileParams.class))
                .or(assignableTo(RunSettings.class)))
        .because("a new kind of run is a new planner, and nothing that is decided changes")
        .check(BERTH);
  }

  @Test
  void nobodyNamesAKindOfRun() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "dev.berth.model..",
            "dev.berth.grammar..",
            "dev.berth.planning.task..",
            "dev.berth.simulation..")
        .should()
        .dependOnClassesThat(
            resideInAPackage("dev.berth.planning.task..")
                .or(
                    assignableTo(RunConfiguration.class)
                        .and(describe("of one kind", used -> !used.isInterface()))))
        .because("planners are found by the type of the run, so that one can be added")
        .check(BERTH);
  }

  @Test
  void commandLineKnowsOnlyTheFailPointsAndFailuresOfTheServersInside() {
    DescribedPredicate<JavaClass> inside =
        resideInAnyPackage(packages("control"), packages("ledger"))
            .and(
                describe(
                    "other than fail points and the ledger's exception",
                    used ->
                        !used.getName().startsWith("dev.berth.control.FailPoint")
                            && !used.getName().startsWith("dev.berth.ledger.LedgerException")));
    noClasses()
        .that()
        .resideInAPackage(packages("cli"))
        .should()
        .dependOnClassesThat(inside)
        .because("the command line talks to a server through the API, even to the embedded one")
        .check(BERTH);
  }

  @Test
  void nothingOutsideOfABackendNamesIt() {
    classes()
        .should(
            new ArchCondition<JavaClass>("depend on no backend but their own") {
              @Override
              public void check(JavaClass origin, ConditionEvents events) {
                for (Dependency dependency : origin.getDirectDependenciesFromSelf()) {
                  String used = backend(dependency.getTargetClass());
                  // The simulation is made of the simulated cloud, and is not published.
                  boolean simulation = module(origin).equals("simulation") && used.equals("sim");
                  if (!used.isEmpty() && !used.equals(backend(origin)) && !simulation) {
                    events.add(
                        SimpleConditionEvent.violated(dependency, dependency.getDescription()));
                  }
                }
              }
            })
        .because("a backend is a jar that can be added and taken away")
        .check(BERTH);
  }

  @Test
  void pureModulesDoNoInputOrOutput() {
    DescribedPredicate<JavaClass> world =
        resideInAnyPackage(
                "java.io..",
                "java.net..",
                "java.nio.file..",
                "java.nio.channels..",
                "java.sql..",
                "java.util.logging..")
            .or(describe("of processes", used -> used.getName().startsWith("java.lang.Process")))
            .and(describe("other than a marker", used -> !used.isEquivalentTo(SERIALIZABLE)));
    pure()
        .should()
        .dependOnClassesThat(world)
        .because("what is decided must follow from what is passed in, so that it can be replayed")
        .check(BERTH);
  }

  private static final Class<?> SERIALIZABLE = java.io.Serializable.class;

  @Test
  void pureModulesReadNoClockAndNoDice() {
    DescribedPredicate<JavaAccess<?>> outside =
        describe(
            "a clock, dice or the environment of the process",
            access -> {
              String owner = access.getTargetOwner().getName();
              String name = access.getTarget().getName();
              return (owner.startsWith("java.time.") && name.equals("now"))
                  || (owner.equals("java.time.Clock") && name.startsWith("system"))
                  || (owner.equals("java.time.Clock") && name.startsWith("tick"))
                  || (owner.equals("java.time.InstantSource") && name.equals("system"))
                  || (owner.equals("java.util.Date") && name.equals("<init>"))
                  || (owner.equals("java.lang.System") && SURROUNDINGS.contains(name))
                  || (owner.equals("java.lang.Math") && name.equals("random"))
                  || (owner.equals("java.util.UUID") && name.equals("randomUUID"))
                  || DICE.contains(owner)
                  || owner.startsWith("java.util.random.");
            });
    pure()
        .should()
        .accessTargetWhere(outside)
        .because("time, ids and chance are passed in, so that a decision can be made once more")
        .check(BERTH);
  }

  private static final Set<String> SURROUNDINGS =
      Set.of("currentTimeMillis", "nanoTime", "getenv", "getProperty", "in");

  private static final Set<String> DICE =
      Set.of(
          "java.util.Random",
          "java.util.SplittableRandom",
          "java.util.concurrent.ThreadLocalRandom",
          "java.security.SecureRandom");

  @Test
  void onlyTheLedgerSpeaksSql() {
    noClasses()
        .that()
        .resideOutsideOfPackage(packages("ledger"))
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                "java.sql..",
                "javax.sql..",
                "org.sqlite..",
                "org.postgresql..",
                "com.zaxxer.hikari..",
                "org.flywaydb.."))
        .because("the fence around every commit is in one place")
        .check(BERTH);
  }

  @Test
  void onlyTheCommandLineWritesToTheTerminal() {
    DescribedPredicate<JavaAccess<?>> streams =
        describe(
            "standard output or standard error",
            access ->
                access.getTargetOwner().isEquivalentTo(System.class)
                    && Set.of("out", "err").contains(access.getTarget().getName()));
    noClasses()
        .that(
            resideInAPackage("dev.berth..")
                .and(DescribedPredicate.not(inModule("cli")))
                // Commands of contributors and authors, which no job's bytes pass through.
                .and(DescribedPredicate.not(inModule("simulation")))
                .and(
                    DescribedPredicate.not(
                        HasName.Predicates.name("dev.berth.testkit.fake.FakeMain"))))
        .should()
        .accessTargetWhere(streams)
        .because("a job's bytes go to standard output, and nothing may come between them")
        .check(BERTH);
  }

  @Test
  void noClassIsARoomForEverything() {
    classes()
        .should()
        .haveNameNotMatching(".*(Util|Utils|Helper|Helpers|Manager|Managers)")
        .because("a name says what happens; such a room fills with what has nothing in common")
        .check(BERTH);
  }

  private static GivenClassesConjunction pure() {
    return noClasses()
        .that()
        .resideInAnyPackage(
            Stream.of("model", "grammar", "planning", "decisions")
                .map(BordersTest::packages)
                .toArray(String[]::new));
  }

  private static DescribedPredicate<JavaClass> inModule(String module) {
    return resideInAPackage(packages(module));
  }

  private static String packages(String module) {
    return "dev.berth." + module + "..";
  }

  private static String module(JavaClass found) {
    return part(found, 2);
  }

  /** The backend that a class belongs to; empty for the rest of Berth and of the world. */
  private static String backend(JavaClass found) {
    return found.getPackageName().startsWith("dev.berth.backends.") ? part(found, 3) : "";
  }

  private static String part(JavaClass found, int index) {
    return found.getPackageName().split("\\.")[index];
  }
}
