package dev.berth.server;

import dev.berth.server.traces.RequestTrace;
import dev.berth.server.traces.Traces;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Answers what servers that stand by have passed on, as if it had come to this one. */
record PassedAnswers(
    List<Route<?, ?>> routes, Admission admission, PassedOutputs outputs, Traces traces) {
  Answer answer(Passed passed) {
    Passed.Request request = passed.request();
    Passed.OutputQuestion question = passed.output();
    if (request != null) {
      return answer(request);
    }
    Passed.FollowQuestion follow = passed.follow();
    if (follow != null) {
      return outputs.answer(follow);
    }
    return question != null
        ? outputs.answer(question)
        : Answer.problem(501, "this server does not know the request", List.of(), Map.of(), null);
  }

  private Answer answer(Passed.Request request) {
    RequestTrace trace = traces.begin(request.traceparent());
    Matched matched = match(request);
    Answer answer = answer(request, matched, trace);
    trace.answered(
        request.method(),
        matched == null ? null : Routes.BASE + matched.route().path(),
        request.path(),
        answer.status(),
        request.id());
    return answer;
  }

  /** The route of a request, and the parts of its path. */
  private record Matched(Route<?, ?> route, Map<String, String> parts) {}

  private @Nullable Matched match(Passed.Request request) {
    for (Route<?, ?> route : routes) {
      if (route.method().name().equals(request.method())) {
        Map<String, String> parts =
            new PathPattern(Routes.BASE + route.path()).match(request.path()).orElse(null);
        if (parts != null) {
          return new Matched(route, parts);
        }
      }
    }
    return null;
  }

  private Answer answer(Passed.Request request, @Nullable Matched matched, RequestTrace trace) {
    String target = request.method() + " " + request.path();
    try {
      if (request.path().equals(Routes.BASE + OpenApi.PATH)) {
        return Answer.json(200, OpenApi.document(routes));
      }
      return matched == null
          ? Answer.unknown(routes, request.path(), request.id())
          : answer(
              matched.route(), new Passed.PassedExchange(request, matched.parts(), trace), request);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Answer.of(new ApiException(503, "the server is stopping"), target, request.id());
    } catch (Exception e) {
      return Answer.of(e, target, request.id());
    }
  }

  private <I, O> Answer answer(
      Route<I, O> route, Passed.PassedExchange exchange, Passed.Request request) throws Exception {
    Caller caller = request.caller();
    Call call = new Call(exchange, caller == null ? Caller.NOBODY : caller, () -> true);
    if (route.need() != Need.NOTHING) {
      if (caller == null) {
        throw Authenticator.refusal();
      }
      Answer again = admission.again(route, call);
      if (again != null) {
        return again;
      }
      admission.pass(caller, route.need(), exchange.pathParts().get("project"));
    }
    O response = route.handler().handle(call, RequestBody.read(route, request.body()));
    if (response == null) {
      return exchange.written(route.status());
    }
    Answer answer = Answer.json(route.status(), response);
    return new Answer(answer.status(), exchange.headers(), answer.contentType(), answer.body());
  }
}
