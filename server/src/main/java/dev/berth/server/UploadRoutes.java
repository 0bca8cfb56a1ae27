package dev.berth.server;

import dev.berth.model.api.UploadChunk;
import dev.berth.model.api.UploadRequest;
import dev.berth.model.api.UploadView;
import java.util.List;

/** The operations about files for runs. */
final class UploadRoutes {
  private static final String UPLOADS = "/projects/{project}/uploads";

  /** About 100 bytes for each piece of 4 MiB, so that even archives of 500 GiB can be named. */
  private static final int LARGEST_LIST = 16 * 1024 * 1024;

  private UploadRoutes() {}

  static List<Route<?, ?>> of(Uploads uploads) {
    return List.of(
        Route.post(
                Need.USER,
                UPLOADS,
                "Lists the missing chunks of an archive; stores the archive if none is missing.",
                UploadRequest.class,
                UploadView.class,
                200,
                (call, body) -> uploads.name(call.path("project"), Routes.required(body)))
            .refusing(422)
            .takingUpTo(LARGEST_LIST),
        Route.put(
                Need.USER,
                UPLOADS + "/chunks/{chunk}",
                "Uploads one chunk of an archive; the request body is its content.",
                UploadChunk.class,
                (call, _) ->
                    uploads.put(
                        call.path("project"),
                        call.path("chunk"),
                        call.contentLength(),
                        call.content()))
            .refusing(422));
  }
}
