package dev.berth.server;

import dev.berth.control.Codec;
import dev.berth.control.SecretSource;
import dev.berth.ledger.EntityKey;
import dev.berth.ledger.EntityQuery;
import dev.berth.ledger.Ledger;
import dev.berth.model.Secret;
import dev.berth.model.SecretRef;
import dev.berth.model.StoredSecret;
import dev.berth.model.api.SecretList;
import dev.berth.model.api.SecretView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Reads the secrets of projects from the ledger, and opens them for whoever starts jobs. */
final class SecretStore implements SecretSource {
  private final Ledger ledger;
  private final Keyring keys;

  /**
   * What jobs were started with since this server is there: their output must be hidden also after
   * the secrets have other values, or none. Written by starts.
   */
  private final Map<SecretRef, Set<Secret>> used = new ConcurrentHashMap<>();

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
                        + "'; berth secret list shows those there are"));
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
    Optional<Secret> value = find(ref.project(), ref.name()).map(this::open);
    value.ifPresent(
        secret -> used.computeIfAbsent(ref, _ -> ConcurrentHashMap.newKeySet()).add(secret));
    return value;
  }

  /** All values that jobs which name a secret may have. */
  List<Secret> values(SecretRef ref) {
    List<Secret> all = new ArrayList<>(used.getOrDefault(ref, Set.of()));
    find(ref.project(), ref.name()).map(this::open).ifPresent(all::add);
    return all;
  }
}
