package dev.berth.planning;

import java.util.List;

/**
 * The fields of a configuration that cannot be honoured, by the places that cannot.
 *
 * @param anywhere what no place can do
 * @param onHosts what a place cannot do that runs plain processes
 * @param inContainers what a place cannot do that runs containers, if it is not an engine of ours
 * @param onEngines what our own engines cannot do
 */
public record UnsupportedFields(
    List<Unsupported> anywhere,
    List<Unsupported> onHosts,
    List<Unsupported> inContainers,
    List<Unsupported> onEngines) {
  public UnsupportedFields {
    anywhere = List.copyOf(anywhere);
    onHosts = List.copyOf(onHosts);
    inContainers = List.copyOf(inContainers);
    onEngines = List.copyOf(onEngines);
  }
}
