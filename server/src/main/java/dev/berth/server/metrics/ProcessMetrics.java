package dev.berth.server.metrics;

import com.sun.management.UnixOperatingSystemMXBean;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Unit;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/**
 * What any dashboard wants to know of a Java process, by the names that they all use. Nothing is
 * looked at before somebody asks.
 */
final class ProcessMetrics {
  private static final double NANOS = 1e9;
  private static final double MILLIS = 1e3;

  private ProcessMetrics() {}

  static void register(PrometheusRegistry registry) {
    memory(registry, "jvm_memory_used", "Memory in use.", MemoryUsage::getUsed);
    memory(registry, "jvm_memory_committed", "Memory held.", MemoryUsage::getCommitted);
    memory(registry, "jvm_memory_max", "The most there may be; -1: no limit.", MemoryUsage::getMax);
    gauge(
        registry,
        "jvm_threads_current",
        "Threads of the platform.",
        callback -> callback.call(ManagementFactory.getThreadMXBean().getThreadCount()));
    CounterWithCallback.builder()
        .name("jvm_gc_collection")
        .unit(Unit.SECONDS)
        .help("Time that collections of garbage took.")
        .labelNames("gc")
        .callback(
            callback ->
                ManagementFactory.getGarbageCollectorMXBeans()
                    .forEach(gc -> callback.call(gc.getCollectionTime() / MILLIS, gc.getName())))
        .register(registry);
    CounterWithCallback.builder()
        .name("jvm_gc_collections")
        .help("Collections of garbage.")
        .labelNames("gc")
        .callback(
            callback ->
                ManagementFactory.getGarbageCollectorMXBeans()
                    .forEach(gc -> callback.call((double) gc.getCollectionCount(), gc.getName())))
        .register(registry);
    CounterWithCallback.builder()
        .name("process_cpu")
        .unit(Unit.SECONDS)
        .help("Time on processors.")
        .callback(callback -> unix(system -> callback.call(system.getProcessCpuTime() / NANOS)))
        .register(registry);
    gauge(
        registry,
        "process_open_fds",
        "Open files and connections.",
        callback -> unix(system -> callback.call((double) system.getOpenFileDescriptorCount())));
    gauge(
        registry,
        "process_max_fds",
        "The most open files and connections.",
        callback -> unix(system -> callback.call((double) system.getMaxFileDescriptorCount())));
    GaugeWithCallback.builder()
        .name("process_start_time")
        .unit(Unit.SECONDS)
        .help("When the process was started, since 1970.")
        .callback(
            callback -> callback.call(ManagementFactory.getRuntimeMXBean().getStartTime() / MILLIS))
        .register(registry);
  }

  private static void memory(
      PrometheusRegistry registry, String name, String help, ToLongFunction<MemoryUsage> figure) {
    GaugeWithCallback.builder()
        .name(name)
        .unit(Unit.BYTES)
        .help(help)
        .labelNames("area")
        .callback(
            callback -> {
              MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
              callback.call((double) figure.applyAsLong(memory.getHeapMemoryUsage()), "heap");
              callback.call((double) figure.applyAsLong(memory.getNonHeapMemoryUsage()), "nonheap");
            })
        .register(registry);
  }

  private static void gauge(
      PrometheusRegistry registry,
      String name,
      String help,
      Consumer<GaugeWithCallback.Callback> callback) {
    GaugeWithCallback.builder().name(name).help(help).callback(callback).register(registry);
  }

  /** Files and processor time are told only where the system is a Unix. */
  private static void unix(Consumer<UnixOperatingSystemMXBean> figure) {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
      figure.accept(system);
    }
  }
}
