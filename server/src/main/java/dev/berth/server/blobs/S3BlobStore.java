package dev.berth.server.blobs;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.MetadataDirective;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Blobs as objects of a bucket: {@code <prefix>/<space>/<digest>}. Bytes go through a local file,
 * because an object must not appear before all of them were checked.
 */
public final class S3BlobStore implements BlobStore {
  private static final String USUAL_REGION = "us-east-1";

  /** How often bytes are put that others put at the same time, and the pause after the first. */
  private static final int MOST_TRIES = 6;

  private static final Duration PAUSE = Duration.ofMillis(50);

  private final S3Client client;
  private final S3Settings settings;
  private final String prefix;
  private final Path temporary;

  private S3BlobStore(S3Client client, S3Settings settings, Path temporary) {
    this.client = client;
    this.settings = settings;
    String trimmed = settings.prefix().replaceAll("^/+|/+$", "");
    this.prefix = trimmed.isEmpty() ? "" : trimmed + "/";
    this.temporary = temporary;
  }

  /**
   * Opens a bucket.
   *
   * @param temporary a folder of this machine, which is made where it is missing
   * @throws BlobException {@code NO_BUCKET}, {@code REFUSED} or {@code AWAY} where it cannot be
   *     used
   */
  public static S3BlobStore open(S3Settings settings, Path temporary, InstantSource clock) {
    try {
      Files.createDirectories(temporary);
      VerifiedFile.deleteAbandoned(temporary, clock);
    } catch (IOException e) {
      throw FileFailures.of("the folder " + temporary + " cannot be used", e);
    }
    S3BlobStore store = new S3BlobStore(client(settings), settings, temporary);
    try {
      store.call(
          () -> store.client.headBucket(request -> request.bucket(settings.bucket())).toString());
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
    return store;
  }

  private static S3Client client(S3Settings settings) {
    S3ClientBuilder builder =
        S3Client.builder()
            .httpClientBuilder(
                UrlConnectionHttpClient.builder()
                    .connectionTimeout(Duration.ofSeconds(5))
                    .socketTimeout(Duration.ofSeconds(30)))
            .region(Region.of(Objects.requireNonNullElse(settings.region(), USUAL_REGION)))
            .forcePathStyle(settings.pathStyle())
            // Bytes are checked by their names; stores other than Amazon's do not know more.
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            .credentialsProvider(credentials(settings));
    String endpoint = settings.endpoint();
    if (endpoint != null) {
      builder.endpointOverride(URI.create(endpoint));
    }
    return builder.build();
  }

  private static AwsCredentialsProvider credentials(S3Settings settings) {
    String key = settings.accessKey();
    return key == null || settings.secretKey() == null
        ? DefaultCredentialsProvider.builder().build()
        : StaticCredentialsProvider.create(
            AwsBasicCredentials.create(key, settings.secretKey().reveal()));
  }

  @Override
  public void put(BlobName name, InputStream content) {
    try (VerifiedFile file = VerifiedFile.of(content, name.digest(), temporary)) {
      for (int tries = 1; ; tries++) {
        StoredBlob there = find(name).orElse(null);
        if (there != null && there.size() == file.size() && refresh(name)) {
          return;
        }
        try {
          put(name, file, there == null);
          return;
        } catch (BlobException e) {
          // Somebody else puts the same bytes: whether that succeeds is seen by another look.
          if (!isConflict(e) || tries == MOST_TRIES) {
            throw e;
          }
        }
        LockSupport.parkNanos(tries * PAUSE.toNanos());
      }
    }
  }

  private void put(BlobName name, VerifiedFile file, boolean onlyIfAbsent) {
    call(
        () ->
            client
                .putObject(
                    request -> {
                      request.bucket(settings.bucket()).key(key(name));
                      if (onlyIfAbsent) {
                        request.ifNoneMatch("*");
                      }
                    },
                    RequestBody.fromFile(file.path()))
                .toString());
  }

  private static boolean isConflict(BlobException e) {
    return e.getCause() instanceof S3Exception said
        && (said.statusCode() == 412 || said.statusCode() == 409);
  }

  @Override
  public InputStream open(BlobName name, long offset, long length) {
    if (length <= 0) {
      return InputStream.nullInputStream();
    }
    long last = length > Long.MAX_VALUE - offset ? Long.MAX_VALUE - 1 : offset + length - 1;
    try {
      return call(
          () ->
              client.getObject(
                  request ->
                      request
                          .bucket(settings.bucket())
                          .key(key(name))
                          .range("bytes=" + offset + "-" + last)));
    } catch (BlobException e) {
      if (e.getCause() instanceof S3Exception said && said.statusCode() == 416) {
        // The part begins behind the end.
        return InputStream.nullInputStream();
      }
      throw isAbsent(e) ? FolderBlobStore.gone(name) : e;
    }
  }

  /** Looking for an object that is not there is answered without saying what is not there. */
  private static boolean isAbsent(BlobException e) {
    return e.code() == BlobException.Code.GONE;
  }

  @Override
  public Optional<StoredBlob> find(BlobName name) {
    try {
      HeadObjectResponse head =
          call(
              () -> client.headObject(request -> request.bucket(settings.bucket()).key(key(name))));
      return Optional.of(new StoredBlob(name, head.contentLength(), head.lastModified()));
    } catch (BlobException e) {
      if (isAbsent(e)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** An object gets younger only by being copied onto itself, with something changed. */
  @Override
  public boolean refresh(BlobName name) {
    if (find(name).isEmpty()) {
      return false;
    }
    try {
      call(
          () ->
              client
                  .copyObject(
                      request ->
                          request
                              .sourceBucket(settings.bucket())
                              .sourceKey(key(name))
                              .destinationBucket(settings.bucket())
                              .destinationKey(key(name))
                              .metadataDirective(MetadataDirective.REPLACE)
                              .metadata(Map.of("refreshed", "yes")))
                  .toString());
      return true;
    } catch (BlobException e) {
      if (isAbsent(e)) {
        return false;
      }
      throw e;
    }
  }

  @Override
  public void delete(BlobName name) {
    call(
        () ->
            client
                .deleteObject(request -> request.bucket(settings.bucket()).key(key(name)))
                .toString());
  }

  @Override
  public void list(String space, Consumer<StoredBlob> each) {
    String start = prefix + BlobName.requireSpace(space) + "/";
    String next = null;
    do {
      String token = next;
      var page =
          call(
              () ->
                  client.listObjectsV2(
                      request -> {
                        request.bucket(settings.bucket()).prefix(start);
                        if (token != null) {
                          request.continuationToken(token);
                        }
                      }));
      for (S3Object object : page.contents()) {
        String digest = object.key().substring(start.length());
        // Spaces below this one begin with the same words.
        if (!digest.contains("/")) {
          each.accept(
              new StoredBlob(new BlobName(space, digest), object.size(), object.lastModified()));
        }
      }
      next = Boolean.TRUE.equals(page.isTruncated()) ? page.nextContinuationToken() : null;
    } while (next != null);
  }

  private <T> T call(Supplier<T> call) {
    try {
      return call.get();
    } catch (SdkException e) {
      throw translated(e);
    }
  }

  private BlobException translated(SdkException e) {
    if (!(e instanceof S3Exception said) || said.statusCode() == 0) {
      return away(e);
    }
    String code = said.awsErrorDetails() == null ? "" : said.awsErrorDetails().errorCode();
    return switch (said.statusCode()) {
      case 401, 403 ->
          new BlobException(
              BlobException.Code.REFUSED,
              describe()
                  + " does not let the server in ("
                  + code
                  + "); check the access key, its secret, and what the key may do",
              e);
      case 404 ->
          "NoSuchKey".equals(code) || !isBucketMissing(said, code)
              ? new BlobException(BlobException.Code.GONE, "there is no such object", e)
              : new BlobException(
                  BlobException.Code.NO_BUCKET,
                  describe() + " is not there; make the bucket, or correct its name",
                  e);
      case 301, 400 ->
          new BlobException(
              BlobException.Code.REFUSED,
              describe()
                  + " does not understand the server ("
                  + code
                  + "); check the region, the endpoint and path-style",
              e);
      case 507 ->
          new BlobException(BlobException.Code.FULL, describe() + " is full; make room there", e);
      default -> away(e);
    };
  }

  /** A look at an object is answered by a bare number; then only the bucket itself can tell. */
  private boolean isBucketMissing(S3Exception said, String code) {
    if ("NoSuchBucket".equals(code)) {
      return true;
    }
    if (said instanceof software.amazon.awssdk.services.s3.model.NoSuchKeyException) {
      return false;
    }
    try {
      client.headBucket(request -> request.bucket(settings.bucket()));
      return false;
    } catch (S3Exception bucket) {
      return bucket.statusCode() == 404;
    }
  }

  private BlobException away(SdkException e) {
    return new BlobException(
        BlobException.Code.AWAY, describe() + " did not respond as expected: " + e.getMessage(), e);
  }

  private String key(BlobName name) {
    return prefix + name;
  }

  @Override
  public String describe() {
    String endpoint = settings.endpoint();
    return "the bucket '"
        + settings.bucket()
        + "'"
        + (endpoint == null ? "" : " at " + withoutUser(endpoint));
  }

  private static String withoutUser(String endpoint) {
    return endpoint.replaceFirst("//[^/@]*@", "//");
  }

  @Override
  public void close() {
    client.close();
  }
}
