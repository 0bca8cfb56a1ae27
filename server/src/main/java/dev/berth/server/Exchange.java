package dev.berth.server;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request and its answer, however they travel. */
interface Exchange {
  String method();

  /** The path as the client wrote it. */
  String path();

  /** The parts of the path that have names, decoded. */
  Map<String, String> pathParts();

  @Nullable String query(String name);

  @Nullable String header(String name);

  void responseHeader(String name, String value);

  /** Answers with bytes. */
  void bytes(byte[] bytes);

  /** Answers with a stream of server-sent events. */
  OutputStream events() throws IOException;
}
