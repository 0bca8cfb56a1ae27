package dev.berth.server;

import dev.berth.control.ControlPlane;
import dev.berth.decisions.FleetOffers;
import dev.berth.decisions.Message;
import dev.berth.decisions.OfferRequirement;
import dev.berth.decisions.Reply;
import dev.berth.grammar.Kind;
import dev.berth.model.Fleet;
import dev.berth.model.api.FieldChange;
import dev.berth.model.api.FieldProblem;
import dev.berth.model.api.FleetPlanView;
import dev.berth.model.api.FleetRequest;
import dev.berth.model.api.FleetView;
import dev.berth.model.api.OfferView;
import dev.berth.model.config.FleetConfiguration;
import dev.berth.planning.fleet.FleetPlanner;
import java.util.ArrayList;
import java.util.List;

/** What the API does with fleets: plan, make, change, delete. */
final class FleetService {
  private final ControlPlane control;
  private final BackendWords backends;
  private final FleetStore store;
  private final MessageSender sender;
  private final RunNames names;
  private final PolicyBook policies;

  FleetService(
      ControlPlane control,
      BackendWords backends,
      FleetStore store,
      MessageSender sender,
      RunNames names,
      PolicyBook policies) {
    this.control = control;
    this.backends = backends;
    this.store = store;
    this.sender = sender;
    this.names = names;
    this.policies = policies;
  }

  FleetPlanView plan(Call call, FleetRequest request) throws InterruptedException {
    PolicyBook.Judged judged = policies.judge(call.path("project"), call.user(), request);
    FleetConfiguration fleet = judged.filled();
    List<FieldProblem> refusals = refusals(call.path("project"), judged);
    List<OfferView> offers = new ArrayList<>();
    if (fleet.sshConfig() == null) {
      Fleet.Spec spec = FleetPlanner.spec(fleet, call.path("project"), judged.verdict().bounds());
      FleetOffers.of(control.offers(List.of(OfferRequirement.of(spec))), spec).stream()
          .limit(OfferViews.MOST_IN_PLAN)
          .forEach(candidate -> offers.add(OfferViews.of(candidate)));
    }
    String name = fleet.name();
    Fleet known = name == null ? null : store.findOwn(call.path("project"), name).orElse(null);
    List<FieldChange> changes =
        known == null
            ? List.of()
            : TreeChanges.between(
                RequestTree.filled(Kind.FLEET, known.configuration(), name),
                RequestTree.filled(Kind.FLEET, judged.written(), name));
    String action = known == null ? "create" : changes.isEmpty() ? "none" : "update";
    return new FleetPlanView(name, action, changes, offers, refusals, judged.views());
  }

  FleetView apply(Call call, FleetRequest request) {
    PolicyBook.Judged judged = policies.judge(call.path("project"), call.user(), request);
    FleetConfiguration fleet = judged.filled();
    List<FieldProblem> refusals = refusals(call.path("project"), judged);
    if (!refusals.isEmpty()) {
      throw ApiException.refused("fleet", refusals);
    }
    String name = fleet.name() == null ? names.randomName(RunNames.USUAL_NUMBERS) : fleet.name();
    Message message =
        new Message.ApplyFleet(
            names.newFleetId(),
            call.path("project"),
            call.user(),
            name,
            judged.written(),
            FleetPlanner.spec(fleet, call.path("project"), judged.verdict().bounds()),
            judged.verdict().dryRuns());
    return view(sender.send(call, message, request));
  }

  FleetView delete(Call call) {
    String project = call.path("project");
    String named = call.path("fleet");
    Fleet fleet = store.find(project, named).orElse(null);
    if (fleet == null && MessageSender.key(call).isEmpty()) {
      throw FleetStore.noFleet(project, named);
    }
    if (fleet != null && !fleet.active()) {
      return store.view(fleet);
    }
    // One that is gone may be the one of a repeated request, which is answered by its key.
    Message message =
        new Message.DeleteFleet(project, fleet == null ? named : fleet.name(), call.user());
    return view(sender.send(call, message, MessageSender.deletion(call)));
  }

  private FleetView view(Reply.Accepted accepted) {
    return store.view(store.find(accepted.runId()).orElseThrow());
  }

  private List<FieldProblem> refusals(String project, PolicyBook.Judged judged) {
    FleetConfiguration fleet = judged.filled();
    List<FieldProblem> found = new ArrayList<>(judged.refusals());
    if (fleet.sshConfig() != null) {
      found.add(
          new FieldProblem(
              "ssh_config",
              "fleets of your own hosts are not supported yet; use 'nodes' for machines from"
                  + " backends"));
    }
    found.addAll(backends.unknown(project, fleet.backends()));
    return found;
  }
}
