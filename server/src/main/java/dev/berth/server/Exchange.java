package dev.berth.server;

import dev.berth.server.traces.RequestTrace;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A request and its answer, however they travel. */
interface Exchange {
  String method();

  /** The path as the client wrote it. */
  String path();

  /** The parts of the path that have names, decoded. */
  Map<String, String> pathParts();

  @Nullable String query(String name);

  /** All values of a name that may stand in the query several times. */
  List<String> queries(String name);

  @Nullable String header(String name);

  /** How long the body says that it is; -1 where it does not say. */
  long contentLength();

  /** The body as it comes. */
  InputStream content();

  /** Where the request comes from. */
  String address();

  /** The request as traces see it. */
  RequestTrace trace();

  void responseHeader(String name, String value);

  /** Answers with bytes. */
  void bytes(String contentType, byte[] bytes);

  /** Whether the request asks to become a connection for frames. */
  boolean isUpgrade();

  /**
   * Has the request become such a connection when its handler returns.
   *
   * @param allowed whether its client may still go on
   */
  void talk(Conversation conversation, BooleanSupplier allowed);

  /** Answers with a stream of server-sent events. */
  OutputStream events() throws IOException;
}
