package dev.berth.server;

import dev.berth.model.api.BackendList;
import dev.berth.model.api.BackendRequest;
import dev.berth.model.api.BackendSuggestions;
import dev.berth.model.api.BackendTypeList;
import dev.berth.model.api.BackendView;
import dev.berth.model.api.EventList;
import dev.berth.model.api.ExplainView;
import dev.berth.model.api.FleetDetail;
import dev.berth.model.api.FleetList;
import dev.berth.model.api.FleetPlanView;
import dev.berth.model.api.FleetRequest;
import dev.berth.model.api.FleetView;
import dev.berth.model.api.HealthView;
import dev.berth.model.api.OfferList;
import dev.berth.model.api.OfferRequest;
import dev.berth.model.api.PlanView;
import dev.berth.model.api.RunDetail;
import dev.berth.model.api.RunList;
import dev.berth.model.api.RunProgressView;
import dev.berth.model.api.RunRequest;
import dev.berth.model.api.RunUsageView;
import dev.berth.model.api.RunView;
import dev.berth.model.api.StopRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The list of all operations. */
final class Routes {
  static final String BASE = "/api/v1";
  private static final String RUNS = "/projects/{project}/runs";
  private static final String FLEETS = "/projects/{project}/fleets";
  private static final String BACKENDS = "/projects/{project}/backends";
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
  static final Parameter NODE = Parameter.number("node", 0, Integer.MAX_VALUE);
  static final Parameter ATTEMPT = Parameter.number("attempt", 0, Integer.MAX_VALUE);
  private static final Parameter[] EVENTS = {
    Parameter.number("after", 0, Long.MAX_VALUE),
    Parameter.number("wait", 0, LONGEST_WAIT.toSeconds()),
    Parameter.number("limit", 1, 1000)
  };

  private Routes() {}

  static List<Route<?, ?>> of(
      List<Route<?, ?>> reading,
      RunService runs,
      OfferService offers,
      BackendService backends,
      FleetService fleets,
      ExplainService explanations,
      UsageService usage,
      ProgressService progress,
      JobAccess jobs,
      Uploads uploads,
      List<Route<?, ?>> access,
      SecretService secrets,
      List<Route<?, ?>> observation,
      Replays replays) {
    List<Route<?, ?>> routes = new ArrayList<>(reading);
    routes.addAll(runs(runs, offers));
    routes.addAll(access);
    routes.addAll(SecretRoutes.of(secrets));
    routes.addAll(observation);
    routes.addAll(explanations(explanations));
    routes.add(usage(usage));
    routes.add(progress(progress));
    routes.addAll(JobAccessRoutes.of(jobs));
    routes.addAll(fleets(fleets));
    routes.addAll(backends(backends, replays));
    routes.addAll(UploadRoutes.of(uploads));
    return List.copyOf(routes);
  }

  private static List<Route<?, ?>> runs(RunService runs, OfferService offers) {
    return List.of(
        Route.post(
                Need.VIEWER,
                RUNS + "/plan",
                "Shows where a run would be placed, and what prevents it.",
                RunRequest.class,
                PlanView.class,
                200,
                (call, body) -> runs.plan(call, required(body)))
            .refusing(422),
        Route.post(
            Need.USER,
            RUNS,
            "Submits a run, or changes the priority of the active run with the same name.",
            RunRequest.class,
            RunView.class,
            201,
            (call, body) -> runs.submit(call, required(body))),
        Route.post(
            Need.USER,
            RUNS + "/{run}/stop",
            "Stops a run; abort kills it at once.",
            StopRequest.class,
            RunView.class,
            200,
            (call, body) -> runs.stop(call, required(body))),
        Route.delete(
            Need.USER,
            RUNS + "/{run}",
            "Deletes a finished run with its output.",
            RunView.class,
            (call, _) -> runs.delete(call)),
        Route.post(
                Need.VIEWER,
                "/projects/{project}/offers",
                "Lists the matching offers, cheapest first: those of the project's backends, and"
                    + " those of providers without a backend, marked not_configured.",
                OfferRequest.class,
                OfferList.class,
                200,
                (call, body) -> offers.offers(call.path("project"), required(body)))
            .refusing(422));
  }

  /**
   * Those that any server can serve, also one that stands by.
   *
   * @param health what the server says of itself
   */
  static List<Route<?, ?>> reading(
      String health, Happenings happenings, Store store, LogService logs, FleetStore fleets) {
    return List.of(
        Route.get(
            Need.NOTHING,
            "/health",
            "Tells whether the server is healthy.",
            HealthView.class,
            (call, _) -> new HealthView(health)),
        Route.get(
                Need.VIEWER,
                RUNS,
                "Lists runs, newest first; all includes finished runs.",
                RunList.class,
                (call, _) ->
                    store.runs(
                        call.path("project"),
                        call.flag("all"),
                        (int) call.number("limit", 100, 1, 1000),
                        call.query("cursor")))
            .taking(
                Parameter.flag("all"),
                Parameter.number("limit", 1, 1000),
                Parameter.text("cursor")),
        Route.get(
            Need.VIEWER,
            RUNS + "/{run}",
            "Shows a run, by name or id.",
            RunDetail.class,
            (call, _) -> store.detail(store.run(call.path("project"), call.path("run")))),
        Route.get(
                Need.VIEWER,
                RUNS + "/{run}/logs/{stream}",
                "Reads a range of the run's output as it was written, with secrets masked.",
                Void.class,
                (call, _) -> {
                  logs.range(call);
                  return null;
                })
            .taking(
                Parameter.number("offset", 0, Long.MAX_VALUE),
                Parameter.number("limit", 1, LogService.LARGEST_RANGE),
                NODE,
                ATTEMPT)
            .refusing(409, 502)
            .giving("application/octet-stream"),
        Route.get(
                Need.VIEWER,
                RUNS + "/{run}/follow",
                "Streams the run's output as server-sent events.",
                Void.class,
                (call, _) -> {
                  logs.follow(call);
                  return null;
                })
            .taking(NODE, Parameter.header("Last-Event-ID", Map.of("type", "string")))
            .refusing(502)
            .giving("text/event-stream"),
        Route.get(
                Need.VIEWER,
                "/projects/{project}/events",
                "Lists events after a sequence number; waits up to the given seconds for new ones.",
                EventList.class,
                (call, _) -> events(happenings, store, call, call.path("project")))
            .taking(EVENTS)
            .refusing(410),
        Route.get(
            Need.VIEWER,
            FLEETS,
            "Lists fleets, newest first.",
            FleetList.class,
            (call, _) -> fleets.fleets(call.path("project"))),
        Route.get(
            Need.VIEWER,
            FLEETS + "/{fleet}",
            "Shows a fleet with its machines, by name or id.",
            FleetDetail.class,
            (call, _) -> fleets.detail(fleets.fleet(call.path("project"), call.path("fleet")))),
        Route.get(
                Need.GLOBAL_ADMIN,
                "/events",
                "Lists events of the whole installation; takes the same parameters as for a"
                    + " project.",
                EventList.class,
                (call, _) -> events(happenings, store, call, null))
            .taking(EVENTS)
            .refusing(410));
  }

  private static List<Route<?, ?>> explanations(ExplainService explanations) {
    return List.of(
        Route.get(
            Need.VIEWER,
            RUNS + "/{run}/explain",
            "Explains where a run is placed, or why it is not placed and what would help.",
            ExplainView.class,
            (call, _) -> explanations.explain(call.path("project"), call.path("run"))),
        Route.post(
                Need.VIEWER,
                RUNS + "/explain",
                "Explains how a run would be placed, without submitting it.",
                RunRequest.class,
                ExplainView.class,
                200,
                (call, body) -> explanations.explain(call, required(body)))
            .refusing(422));
  }

  private static Route<?, ?> usage(UsageService usage) {
    return Route.get(
        Need.VIEWER,
        RUNS + "/{run}/usage",
        "Shows the processor, memory and GPU usage of the running jobs of a run.",
        RunUsageView.class,
        (call, _) -> usage.usage(call.path("project"), call.path("run")));
  }

  private static Route<?, ?> progress(ProgressService progress) {
    return Route.get(
        Need.VIEWER,
        RUNS + "/{run}/progress",
        "Shows the progress of the jobs of a run that are starting, and its warnings.",
        RunProgressView.class,
        (call, _) -> progress.progress(call.path("project"), call.path("run")));
  }

  private static List<Route<?, ?>> fleets(FleetService fleets) {
    return List.of(
        Route.post(
                Need.VIEWER,
                FLEETS + "/plan",
                "Shows what applying a fleet would change, and which offers match it.",
                FleetRequest.class,
                FleetPlanView.class,
                200,
                (call, body) -> fleets.plan(call, required(body)))
            .refusing(422),
        Route.post(
            Need.USER,
            FLEETS,
            "Creates a fleet, or updates the fleet with the same name in place.",
            FleetRequest.class,
            FleetView.class,
            200,
            (call, body) -> fleets.apply(call, required(body))),
        Route.delete(
            Need.USER,
            FLEETS + "/{fleet}",
            "Deletes a fleet: idle machines are released at once, the others after their jobs.",
            FleetView.class,
            (call, _) -> fleets.delete(call)));
  }

  private static List<Route<?, ?>> backends(BackendService backends, Replays replays) {
    return List.of(
        Route.get(
            Need.TOKEN,
            "/backend-types",
            "Lists the installed backend types, with their settings as JSON Schema.",
            BackendTypeList.class,
            (call, _) -> backends.types()),
        Route.get(
            Need.VIEWER,
            BACKENDS,
            "Lists backends.",
            BackendList.class,
            (call, _) -> backends.list(call.path("project"))),
        Route.post(
                Need.GLOBAL_ADMIN,
                BACKENDS,
                "Adds a backend if its provider accepts the settings.",
                BackendRequest.class,
                BackendView.class,
                201,
                (call, body) ->
                    replays.once(
                        call,
                        required(body),
                        BackendView.class,
                        () -> backends.add(call.path("project"), required(body), call.user())))
            .refusing(409, 422, 502),
        Route.post(
                Need.GLOBAL_ADMIN,
                BACKENDS + "/suggest",
                "Suggests values for settings that are not filled in.",
                BackendRequest.class,
                BackendSuggestions.class,
                200,
                (call, body) -> backends.suggest(call.path("project"), required(body)))
            .refusing(422, 502),
        Route.post(
                Need.ADMIN,
                BACKENDS + "/{backend}/check",
                "Asks the provider whether it still accepts the settings of a backend.",
                BackendView.class,
                (call, _) -> backends.check(call.path("project"), call.path("backend")))
            .refusing(409, 422, 502),
        Route.delete(
                Need.GLOBAL_ADMIN,
                BACKENDS + "/{backend}",
                "Removes a backend on which Berth has no resources; forget skips asking its"
                    + " provider.",
                BackendView.class,
                (call, _) ->
                    replays.delete(
                        call,
                        () ->
                            backends.remove(
                                call.path("project"),
                                call.path("backend"),
                                call.flag("forget"),
                                call.user())))
            .taking(Parameter.flag("forget"))
            .refusing(409, 422, 502));
  }

  /**
   * The events that a call asks for.
   *
   * @param project null for those of the whole installation
   */
  private static EventList events(
      Happenings happenings, Store store, Call call, @Nullable String project)
      throws InterruptedException {
    long after = call.number("after", 0, 0, Long.MAX_VALUE);
    long wait = call.number("wait", 0, 0, LONGEST_WAIT.toSeconds());
    if (wait > 0) {
      happenings.await(after, Duration.ofSeconds(wait));
      if (!call.isStillAllowed()) {
        throw Authenticator.refusal();
      }
    }
    if (after > 0) {
      requireKept(after, store.trimmedEvents());
    }
    return store.events(project, after, (int) call.number("limit", 100, 1, 1000));
  }

  /** Refuses whoever would miss events; who begins at 0 wants those that are there. */
  private static void requireKept(long after, long trimmed) {
    if (after < trimmed) {
      throw new ApiException(
          410,
          "the events up to "
              + trimmed
              + " have been deleted (retention.events in the server's file), so those after "
              + after
              + " are incomplete; read the current state, and continue with after="
              + trimmed);
    }
  }

  static <I> I required(@Nullable I body) {
    if (body == null) {
      throw new ApiException(400, "the request has no body; expected JSON");
    }
    return body;
  }
}
