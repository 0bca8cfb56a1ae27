package dev.berth.server;

import dev.berth.control.Codec;
import dev.berth.control.SecretSource;
import dev.berth.ledger.Commit;
import dev.berth.ledger.EntityKey;
import dev.berth.ledger.EntityQuery;
import dev.berth.ledger.EntityRow;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.Page;
import dev.berth.ledger.Stored;
import dev.berth.ledger.Tenure;
import dev.berth.model.Run;
import dev.berth.model.Secret;
import dev.berth.model.SecretRef;
import dev.berth.model.StoredSecret;
import dev.berth.model.api.SecretList;
import dev.berth.model.api.SecretView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the secrets of projects from the ledger, and opens them for whoever starts jobs. */
final class SecretStore implements SecretSource {
  private final Ledger ledger;
  private final Keyring keys;

  SecretStore(Ledger ledger, Keyring keys) {
    this.ledger = ledger;
    this.keys = keys;
  }

  Optional<StoredSecret> find(String project, String name) {
    return StoredSecret.NAME.matcher(name).matches()
        ? ledger
            .find(Ledger.MAIN_REALM, new EntityKey("secret", StoredSecret.id(project, name)))
            .map(stored -> (StoredSecret) Codec.entity(stored.row()))
        : Optional.empty();
  }

  StoredSecret require(String project, String name) {
    return find(project, name)
        .orElseThrow(
            () ->
                new ApiException(
                    404,
                    "there is no secret '"
                        + name
                        + "' in the project '"
                        + project
                        + "'; list them with: berth secret list"));
  }

  SecretList list(String project) {
    return new SecretList(
        ledger
            .listAll(
                Ledger.MAIN_REALM,
                EntityQuery.all("secret", EntityQuery.LARGEST_PAGE).inProject(project).active())
            .stream()
            .map(stored -> view((StoredSecret) Codec.entity(stored.row())))
            .sorted(Comparator.comparing(SecretView::name))
            .toList());
  }

  static SecretView view(StoredSecret secret) {
    return new SecretView(secret.project(), secret.name(), secret.createdAt(), secret.updatedAt());
  }

  String sealed(String project, String name, String value) {
    return keys.seal(value, about(project, name));
  }

  /** The same value under the first key. */
  static String resealed(StoredSecret secret, Keyring keys) {
    String[] about = about(secret.project(), secret.name());
    return keys.seal(keys.open(secret.sealed(), about).reveal(), about);
  }

  /** The value of one. */
  Secret open(StoredSecret secret) {
    return keys.open(secret.sealed(), about(secret.project(), secret.name()));
  }

  private static String[] about(String project, String name) {
    return new String[] {"secret", project, name};
  }

  @Override
  public Optional<Secret> reveal(SecretRef ref) {
    return find(ref.project(), ref.name()).map(this::open);
  }

  /** All values that jobs which name a secret may have, or have had. */
  List<Secret> values(SecretRef ref) {
    List<Secret> all = new ArrayList<>();
    // The present one first: one that is replaced meanwhile is found among the former ones then.
    reveal(ref).ifPresent(all::add);
    former(
            EntityQuery.all("secret", EntityQuery.LARGEST_PAGE)
                .ofParent(StoredSecret.id(ref.project(), ref.name())))
        .forEach(secret -> all.add(open(secret)));
    return all;
  }

  private Stream<StoredSecret> former(EntityQuery query) {
    return ledger.listAll(Ledger.MAIN_REALM, query).stream()
        .map(stored -> (StoredSecret) Codec.entity(stored.row()))
        .filter(secret -> !secret.active());
  }

  /**
   * Deletes the former values that no output can have any more: no run is left in their projects
   * that was submitted before they were replaced.
   *
   * @return how many that were
   */
  int forgetUnused(Tenure tenure) {
    Map<String, List<StoredSecret>> byProject =
        former(EntityQuery.all("secret", EntityQuery.LARGEST_PAGE))
            .collect(Collectors.groupingBy(StoredSecret::project));
    Commit.Builder commit = Commit.builder();
    int forgotten = 0;
    for (Map.Entry<String, List<StoredSecret>> one : byProject.entrySet()) {
      Instant oldest = oldestRun(one.getKey());
      for (StoredSecret secret : one.getValue()) {
        Instant replaced = Objects.requireNonNull(secret.replacedAt());
        if (oldest == null || oldest.isAfter(replaced)) {
          commit.delete(new EntityKey("secret", secret.id()));
          forgotten++;
        }
      }
    }
    if (forgotten > 0) {
      ledger.commit(tenure, commit.build());
    }
    return forgotten;
  }

  private @Nullable Instant oldestRun(String project) {
    Instant oldest = null;
    EntityQuery query = EntityQuery.all("run", EntityQuery.LARGEST_PAGE).inProject(project);
    while (true) {
      Page<Stored<EntityRow>> page = ledger.list(Ledger.MAIN_REALM, query);
      if (!page.items().isEmpty()) {
        // The newest come first.
        oldest = ((Run) Codec.entity(page.items().getLast().row())).submittedAt();
      }
      if (page.next().isEmpty()) {
        return oldest;
      }
      query = query.after(page.next().get());
    }
  }
}
