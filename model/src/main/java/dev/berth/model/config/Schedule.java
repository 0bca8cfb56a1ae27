package dev.berth.model.config;

import java.util.List;

/** When a run is started, in UTC. */
public record Schedule(List<String> cron) {
  public Schedule {
    cron = List.copyOf(cron);
  }
}
