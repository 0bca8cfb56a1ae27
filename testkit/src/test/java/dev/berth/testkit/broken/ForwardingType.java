package dev.berth.testkit.broken;

import dev.berth.spi.BackendContext;
import dev.berth.spi.BackendType;
import dev.berth.spi.Compute;
import dev.berth.spi.Deviation;
import dev.berth.spi.Traits;
import dev.berth.spi.config.PartialConfig;
import dev.berth.spi.config.Suggestion;
import java.util.List;
import java.util.Map;

/** Does as another type does. */
public class ForwardingType<C extends Record> implements BackendType<C> {
  final BackendType<C> sound;

  public ForwardingType(BackendType<C> sound) {
    this.sound = sound;
  }

  @Override
  public String name() {
    return sound.name();
  }

  @Override
  public String summary() {
    return sound.summary();
  }

  @Override
  public Class<C> config() {
    return sound.config();
  }

  @Override
  public List<Deviation> deviations() {
    return sound.deviations();
  }

  @Override
  public Traits traits() {
    return sound.traits();
  }

  @Override
  public void check(C config, BackendContext context) {
    sound.check(config, context);
  }

  @Override
  public List<Suggestion> suggest(PartialConfig partial, BackendContext context) {
    return sound.suggest(partial, context);
  }

  @Override
  public Map<String, String> prepare(C config, BackendContext context) {
    return sound.prepare(config, context);
  }

  @Override
  public void undo(C config, BackendContext context) {
    sound.undo(config, context);
  }

  @Override
  public Compute open(C config, BackendContext context) {
    return sound.open(config, context);
  }
}
