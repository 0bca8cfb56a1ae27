package dev.berth.server;

import dev.berth.model.ArchiveManifest;
import dev.berth.model.Member;
import dev.berth.model.Project;
import dev.berth.model.StoredSecret;
import dev.berth.model.Token;
import dev.berth.model.User;
import dev.berth.server.plugins.Plugins;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What the fields of requests may be, beyond their types; whatever is here is enforced. */
final class FieldSchemas {
  private static final Map<String, Object> ROLES = words(Member.Role.class);

  private static final Map<String, Map<String, Object>> BY_FIELD =
      Map.ofEntries(
          Map.entry("ProjectRequest.name", Parameter.matching(Project.NAME.pattern())),
          Map.entry("UserRequest.name", Parameter.matching(User.NAME.pattern())),
          Map.entry("UserRequest.role", words(User.Role.class)),
          Map.entry("UserRoleRequest.role", words(User.Role.class)),
          Map.entry("MemberRequest.user", Parameter.matching(User.NAME.pattern())),
          Map.entry("MemberRequest.role", ROLES),
          Map.entry("TokenRequest.name", Parameter.matching(Token.NAME.pattern())),
          Map.entry("TokenRequest.user", Parameter.matching(User.NAME.pattern())),
          Map.entry("TokenRequest.project", Parameter.matching(Project.NAME.pattern())),
          Map.entry("TokenRequest.role", ROLES),
          Map.entry(
              "TokenRequest.expires_in_seconds",
              Map.of("type", "integer", "minimum", 1, "maximum", TokenService.LONGEST_SECONDS)),
          Map.entry("SecretRequest.name", Parameter.matching(StoredSecret.NAME.pattern())),
          Map.entry(
              "SecretRequest.value",
              Map.of(
                  "type",
                  "string",
                  "minLength",
                  1,
                  "maxLength",
                  StoredSecret.LONGEST_VALUE,
                  "pattern",
                  "^[^\\u0000]+$")),
          Map.entry("BackendRequest.name", Parameter.matching(Plugins.NAME)),
          Map.entry(
              "OfferRequest.max_offers",
              Map.of("type", "integer", "minimum", 1, "maximum", Integer.MAX_VALUE)),
          Map.entry("UploadChunk.digest", Parameter.matching("[0-9a-f]{64}")),
          Map.entry(
              "UploadChunk.size",
              Map.of("type", "integer", "minimum", 1, "maximum", ArchiveManifest.CHUNK_BYTES)));

  /** Those that may be left out, or null, although the server's own record always has them. */
  private static final Set<String> OPTIONAL =
      Set.of(
          "OfferRequest.backends",
          "OfferRequest.regions",
          "OfferRequest.countries",
          "OfferRequest.instance_types",
          "OfferRequest.include_suspect",
          "OfferRequest.group_by",
          "StopRequest.abort");

  private FieldSchemas() {}

  /** What a field may be; as its type says where nothing more is known. */
  static Map<String, Object> of(Class<?> record, String field, Map<String, Object> ofType) {
    return BY_FIELD.getOrDefault(record.getSimpleName() + "." + field, ofType);
  }

  static boolean isOptional(Class<?> record, String field) {
    return OPTIONAL.contains(record.getSimpleName() + "." + field);
  }

  private static Map<String, Object> words(Class<? extends Enum<?>> type) {
    List<String> words =
        Arrays.stream(type.getEnumConstants())
            .map(constant -> constant.name().toLowerCase(Locale.ROOT))
            .toList();
    return Map.of("type", "string", "enum", words);
  }
}
