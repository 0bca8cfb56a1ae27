package dev.berth.testkit;

import dev.berth.spi.BackendContext;
import dev.berth.spi.BackendException;
import dev.berth.spi.BackendType;
import dev.berth.spi.Compute;
import dev.berth.spi.config.ConfigReader;
import dev.berth.spi.config.ConfigTree;
import dev.berth.spi.config.PartialConfig;
import dev.berth.spi.config.Suggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A backend's type together with one configuration of it, so that both fit.
 *
 * @param <C> the configuration
 */
public final class ConfiguredSubject<C extends Record> {
  private final BackendType<C> type;
  private final Map<String, @Nullable Object> tree;

  ConfiguredSubject(BackendType<C> type, Map<String, @Nullable Object> tree) {
    this.type = type;
    this.tree = tree;
  }

  /**
   * The settings as the type's record.
   *
   * @throws BackendException.BadConfig where they are not what the record says
   */
  public C config() {
    return ConfigReader.read(type.config(), tree);
  }

  public void check(BackendContext context) {
    type.check(config(), context);
  }

  public List<Suggestion> suggest(BackendContext context) {
    return type.suggest(new PartialConfig(tree), context);
  }

  public Map<String, String> prepare(BackendContext context) {
    return type.prepare(config(), context);
  }

  public void undo(BackendContext context) {
    type.undo(config(), context);
  }

  public Compute open(BackendContext context) {
    return type.open(config(), context);
  }

  /** The words in the settings that must not be seen anywhere. */
  public List<String> secrets() {
    List<String> found = new ArrayList<>();
    collect(tree, ConfigTree.redacted(config()), found);
    return found;
  }

  /** What is hidden when it is shown, and stands openly in what was written, is a secret. */
  private static void collect(
      @Nullable Object written, @Nullable Object shown, List<String> found) {
    if (written instanceof Map<?, ?> section && shown instanceof Map<?, ?> shownSection) {
      section.forEach((name, value) -> collect(value, shownSection.get(name), found));
    } else if (written instanceof List<?> list && shown instanceof List<?> shownList) {
      for (int i = 0; i < Math.min(list.size(), shownList.size()); i++) {
        collect(list.get(i), shownList.get(i), found);
      }
    } else if (written instanceof String word && "***".equals(shown) && !word.isEmpty()) {
      found.add(word);
    }
  }
}
