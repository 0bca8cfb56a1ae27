package dev.berth.acceptance;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The rooms of the module hosts: a machine is reached through its access, and in no other way. */
class HostBordersTest {
  private static final JavaClasses HOSTS =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          // Nor those that other modules share.
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("dev.berth.hosts");

  /** Not the beginning of a package's name. */
  private static final Pattern FOLDER_OF_PROCESSES = Pattern.compile("/proc(?![a-z])");

  /** The rooms that run jobs on any machine. */
  private static final String[] ANYWHERE = {
    "dev.berth.hosts.access",
    "dev.berth.hosts.jobdir",
    "dev.berth.hosts.process",
    "dev.berth.hosts.container",
    "dev.berth.hosts.images",
    "dev.berth.hosts.docker"
  };

  /**
   * Those whose strings name the folder of processes all the same: a line of shell that the engine
   * runs inside of a container.
   */
  private static final Set<String> NAME_PROCESSES_OF_CONTAINERS =
      Set.of("dev.berth.hosts.container.ContainerAccess");

  @Test
  void jobsAreRunThroughTheAccessAlone() {
    DescribedPredicate<JavaClass> machine =
        resideInAnyPackage("java.nio.file..", "dev.berth.hosts.access.local..")
            .or(
                DescribedPredicate.describe(
                    "of files, sockets and processes",
                    used ->
                        used.getName()
                            .matches(
                                "java\\.io\\.(File|RandomAccessFile).*|java\\.lang\\.Process.*"
                                    + "|java\\.nio\\.channels\\..*(File|Socket|Datagram).*"
                                    + "|java\\.net\\..*(Socket|Inet|Datagram|http).*")));
    noClasses()
        .that()
        .resideInAnyPackage(ANYWHERE)
        .should()
        .dependOnClassesThat(machine)
        .because("the machine may be another one, which its access knows how to reach")
        .check(HOSTS);
  }

  @Test
  void onlyTheLocalAccessNamesTheFolderOfProcesses() throws IOException {
    List<String> naming = new ArrayList<>();
    for (JavaClass found : HOSTS.that(resideInAnyPackage(ANYWHERE))) {
      if (FOLDER_OF_PROCESSES.matcher(constants(found)).find()) {
        naming.add(found.getName());
      }
    }
    assertThat(naming).containsExactlyInAnyOrderElementsOf(NAME_PROCESSES_OF_CONTAINERS);
  }

  /** The bytes of a class file, in which its strings stand as they are. */
  private static String constants(JavaClass found) throws IOException {
    try (InputStream bytes = found.getSource().orElseThrow().getUri().toURL().openStream()) {
      return new String(bytes.readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  @Test
  void roomsFormNoCircle() {
    slices().matching("dev.berth.hosts.(*)..").should().beFreeOfCycles().check(HOSTS);
  }

  @Test
  void noRoomComesIntoThoseThatRunJobs() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.berth.hosts.process")
        .should()
        .dependOnClassesThat(resideInAnyPackage("dev.berth.hosts.process"))
        .check(HOSTS);
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.berth.hosts.container")
        .should()
        .dependOnClassesThat(resideInAnyPackage("dev.berth.hosts.container"))
        .check(HOSTS);
  }
}
