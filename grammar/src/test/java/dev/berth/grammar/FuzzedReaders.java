package dev.berth.grammar;

import dev.berth.grammar.ConfigurationReader.Defaults;

/** What the fuzzer calls with each input: whatever leaves it is a finding. */
public final class FuzzedReaders {
  private FuzzedReaders() {}

  public static void fuzzerTestOneInput(byte[] bytes) {
    boolean isYaml = isRead(bytes);
    ConfigurationFile file = ConfigurationReader.read(bytes, Defaults.FILLED);
    if (file.isValid() != file.errors().isEmpty()) {
      throw new IllegalStateException("a file is valid exactly where it has no errors");
    }
    if (file.isValid() && !isYaml) {
      throw new IllegalStateException("a valid file is YAML");
    }
    file.configuration()
        .ifPresent(
            value -> {
              var readBack =
                  ConfigurationReader.readNormalised(
                      ConfigurationReader.kindOf(value),
                      ConfigurationReader.normalise(value),
                      Defaults.FILLED);
              if (!readBack.equals(value)) {
                throw new IllegalStateException("read back as " + readBack);
              }
            });
  }

  private static boolean isRead(byte[] bytes) {
    try {
      YamlReader.read(bytes);
      return true;
    } catch (SyntaxException expected) {
      return false;
    }
  }
}
