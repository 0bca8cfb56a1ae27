package dev.berth.server;

import dev.berth.control.Engine;
import dev.berth.decisions.FleetOffers;
import dev.berth.decisions.Message;
import dev.berth.decisions.Reply;
import dev.berth.decisions.Shopping;
import dev.berth.grammar.ConfigurationReader;
import dev.berth.grammar.Kind;
import dev.berth.model.Fleet;
import dev.berth.model.api.FieldChange;
import dev.berth.model.api.FieldProblem;
import dev.berth.model.api.FleetPlanView;
import dev.berth.model.api.FleetRequest;
import dev.berth.model.api.FleetView;
import dev.berth.model.api.OfferView;
import dev.berth.model.config.Configuration;
import dev.berth.model.config.FleetConfiguration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the API does with fleets: plan, make, change, delete. */
final class FleetService {
  /** So many offers are shown in a plan. */
  private static final int MOST_OFFERS = 50;

  /** How long a plan waits for providers; after that it shows what was known before. */
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);

  private final Engine engine;
  private final BackendWords backends;
  private final FleetStore store;
  private final MessageSender sender;
  private final RunNames names;

  FleetService(
      Engine engine,
      BackendWords backends,
      FleetStore store,
      MessageSender sender,
      RunNames names) {
    this.engine = engine;
    this.backends = backends;
    this.store = store;
    this.sender = sender;
    this.names = names;
  }

  FleetPlanView plan(Call call, FleetRequest request) throws InterruptedException {
    FleetConfiguration fleet = read(request);
    List<FieldProblem> refusals = refusals(fleet);
    List<OfferView> offers = new ArrayList<>();
    if (fleet.sshConfig() == null) {
      FleetOffers.of(engine.market(ANSWER_WITHIN), Shopping.spec(fleet)).stream()
          .limit(MOST_OFFERS)
          .forEach(candidate -> offers.add(OfferViews.of(candidate)));
    }
    String name = fleet.name();
    Fleet known = name == null ? null : store.findOwn(call.path("project"), name).orElse(null);
    List<FieldChange> changes =
        known == null
            ? List.of()
            : TreeChanges.between(filled(known.configuration(), name), filled(request));
    String action = known == null ? "create" : changes.isEmpty() ? "none" : "update";
    return new FleetPlanView(name, action, changes, offers, refusals);
  }

  FleetView apply(Call call, FleetRequest request) {
    FleetConfiguration fleet = read(request);
    List<FieldProblem> refusals = refusals(fleet);
    if (!refusals.isEmpty()) {
      throw new ApiException(
          422,
          "the fleet is refused: "
              + refusals.getFirst().path()
              + ": "
              + refusals.getFirst().message(),
          refusals);
    }
    String name = fleet.name() == null ? names.randomName(RunNames.USUAL_NUMBERS) : fleet.name();
    Message message =
        new Message.ApplyFleet(
            names.newFleetId(),
            call.path("project"),
            call.user(),
            name,
            request.configuration(),
            Shopping.spec(fleet));
    return view(sender.send(call, message, request));
  }

  FleetView delete(Call call) {
    String project = call.path("project");
    Fleet fleet = store.fleet(project, call.path("fleet"));
    if (!fleet.active()) {
      return store.view(fleet);
    }
    Message message = new Message.DeleteFleet(project, fleet.name(), call.user());
    return view(sender.send(call, message, Map.of("delete", fleet.id())));
  }

  private FleetView view(Reply.Accepted accepted) {
    return store.view(store.find(accepted.runId()).orElseThrow());
  }

  private List<FieldProblem> refusals(FleetConfiguration fleet) {
    List<FieldProblem> found = new ArrayList<>();
    if (fleet.sshConfig() != null) {
      found.add(
          new FieldProblem(
              "ssh_config",
              "hosts of your own do not join fleets in this version; write 'nodes' for machines"
                  + " that are bought at backends"));
    }
    found.addAll(backends.unknown(fleet.backends()));
    return found;
  }

  private static FleetConfiguration read(FleetRequest request) {
    if (!"fleet".equals(request.configuration().get("type"))) {
      throw ApiException.ofField(422, "field", "type", "expected the configuration of a fleet");
    }
    return (FleetConfiguration) configuration(named(request.configuration(), request.name()));
  }

  private static Map<String, @Nullable Object> filled(FleetRequest request) {
    return filled(request.configuration(), request.name());
  }

  /** With all defaults, so that what was not written is no change against what stands for it. */
  private static Map<String, @Nullable Object> filled(
      Map<String, @Nullable Object> written, @Nullable String name) {
    return ConfigurationReader.normalise(configuration(named(written, name)));
  }

  private static Configuration configuration(Map<String, @Nullable Object> tree) {
    try {
      return ConfigurationReader.readNormalised(
          Kind.FLEET, tree, ConfigurationReader.Defaults.FILLED);
    } catch (IllegalArgumentException e) {
      throw new ApiException(422, "the configuration is wrong: " + e.getMessage());
    }
  }

  private static Map<String, @Nullable Object> named(
      Map<String, @Nullable Object> written, @Nullable String name) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>(written);
    if (name != null) {
      tree.put("name", name);
    }
    return tree;
  }
}
