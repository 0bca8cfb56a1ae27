package dev.berth.server.blobs;

import dev.berth.model.Secret;
import dev.berth.model.testing.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** A real S3 server as a process, whose buckets are folders. */
public final class S3Server implements AutoCloseable {
  private static final Path JAR = Path.of("target", "s3proxy", "s3proxy.jar");
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  public static final String KEY = "berth-tests";
  public static final String SECRET = "a-secret-of-tests";

  private final Process process;
  private final int port;

  private S3Server(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  public static S3Server start(Path folder) throws IOException {
    return start(folder, FreePort.find());
  }

  static S3Server start(Path folder, int port) throws IOException {
    Files.createDirectories(folder.resolve("data"));
    Path settings = folder.resolve("s3proxy.conf");
    Files.writeString(
        settings,
        """
        s3proxy.endpoint=http://127.0.0.1:%d
        s3proxy.authorization=aws-v2-or-v4
        s3proxy.identity=%s
        s3proxy.credential=%s
        jclouds.provider=filesystem
        jclouds.filesystem.basedir=%s
        """
            .formatted(port, KEY, SECRET, folder.resolve("data")));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-jar",
                JAR.toString(),
                "--properties",
                settings.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("s3proxy.log").toFile())
            .start();
    S3Server server = new S3Server(process, port);
    server.awaitPort(folder);
    return server;
  }

  private void awaitPort(Path folder) throws IOException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
        return;
      } catch (IOException e) {
        if (!process.isAlive() || System.nanoTime() > deadline) {
          process.destroyForcibly();
          throw new IOException(Files.readString(folder.resolve("s3proxy.log")), e);
        }
        Thread.onSpinWait();
      }
    }
  }

  int port() {
    return port;
  }

  public String endpoint() {
    return "http://127.0.0.1:" + port;
  }

  S3Settings settings(String bucket) {
    return new S3Settings(
        bucket, "team/berth", "us-east-1", endpoint(), true, KEY, Secret.of(SECRET));
  }

  public void makeBucket(String name) {
    try (S3Client client =
        S3Client.builder()
            .httpClientBuilder(UrlConnectionHttpClient.builder())
            .region(Region.US_EAST_1)
            .endpointOverride(URI.create(endpoint()))
            .forcePathStyle(true)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create(KEY, SECRET)))
            .build()) {
      client.createBucket(request -> request.bucket(name));
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
