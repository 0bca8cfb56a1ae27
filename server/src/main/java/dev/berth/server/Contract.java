package dev.berth.server;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a route promises beside the records that it takes and gives.
 *
 * @param parameters what its query and head may have
 * @param refusals the statuses that it refuses with, beside those that follow from who may ask and
 *     what is sent
 * @param mediaTypes of what it answers
 */
record Contract(List<Parameter> parameters, Set<Integer> refusals, List<String> mediaTypes) {
  private static final List<String> JSON = List.of("application/json");

  /** Where only something is read. */
  static final Contract READING = new Contract(List.of(), Set.of(), JSON);

  /** Where something may change: it may not fit what is there, or not be possible at all. */
  static final Contract CHANGING = new Contract(List.of(), Set.of(409, 422), JSON);

  Contract {
    parameters = List.copyOf(parameters);
    refusals = Set.copyOf(refusals);
    mediaTypes = List.copyOf(mediaTypes);
  }

  Contract taking(Parameter... more) {
    List<Parameter> all = new ArrayList<>(parameters);
    all.addAll(Arrays.asList(more));
    return new Contract(all, refusals, mediaTypes);
  }

  Contract refusing(Integer... statuses) {
    return new Contract(
        parameters, Arrays.stream(statuses).collect(Collectors.toSet()), mediaTypes);
  }

  Contract giving(String... types) {
    return new Contract(parameters, refusals, List.of(types));
  }

  /** All statuses that refuse a request to a route with this contract, in order. */
  Set<Integer> refusalsOf(Route<?, ?> route) {
    Set<Integer> all = new TreeSet<>(refusals);
    // Malformed; too long a head; our own failure; storage that does not answer.
    all.addAll(List.of(400, 431, 500, 503));
    if (route.need() != Need.NOTHING) {
      // Who has no token, or too many wrong ones, and whose role or token does not reach.
      all.addAll(List.of(401, 403, 429));
    }
    if (route.method() != Route.Method.GET) {
      // Too much waits to be decided.
      all.add(429);
    }
    if (route.path().contains("{")) {
      all.add(404);
    }
    if (route.request() != null || route.takesBytes()) {
      all.addAll(List.of(408, 413));
    }
    return all;
  }
}
