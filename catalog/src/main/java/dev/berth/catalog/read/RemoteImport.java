package dev.berth.catalog.read;

import dev.berth.catalog.CatalogException;
import dev.berth.catalog.read.RemoteFile.Place;
import dev.berth.spi.OfferSource;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Finds the files of each provider on a mirror. */
final class RemoteImport {
  private static final System.Logger LOG = System.getLogger(RemoteImport.class.getName());
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int LONGEST_MANIFEST = 4 << 20;

  /** A mirror cannot be asked what it has, so these are asked for one by one. */
  private static final Map<CatalogFormat, Set<String>> USUAL =
      Map.of(
          CatalogFormat.GPUHUNT,
          Set.of(
              "aws", "azure", "gcp", "lambdalabs", "nebius", "oci", "runpod", "verda", "cloudrift"),
          CatalogFormat.SKYPILOT,
          Set.of(
              "aws",
              "azure",
              "cudo",
              "do",
              "fluidstack",
              "gcp",
              "hyperbolic",
              "hyperstack",
              "ibm",
              "lambda",
              "mithril",
              "nebius",
              "oci",
              "ovhcloud",
              "paperspace",
              "primeintellect",
              "runpod",
              "scaleway",
              "scp",
              "seeweb",
              "shadeform",
              "vast",
              "verda",
              "yotta"));

  private final ImportRequest request;
  private final Mirror mirror;
  private final ReadLimits limits;
  private final Function<Place, RemoteFile> files;
  private final String base;

  RemoteImport(
      ImportRequest request, Mirror mirror, ReadLimits limits, Function<Place, RemoteFile> files) {
    this.request = request;
    this.mirror = mirror;
    this.limits = limits;
    this.files = files;
    this.base = checked(request.place()).toString().replaceFirst("/+$", "");
  }

  private static URI checked(String place) {
    try {
      URI uri = new URI(place);
      if (uri.getHost() == null || uri.getUserInfo() != null || uri.getQuery() != null) {
        throw new CatalogException(
            "An address such as https://host/path is expected, without a user or a query.");
      }
      return uri;
    } catch (URISyntaxException e) {
      throw new CatalogException("The address cannot be read: " + e.getMessage(), e);
    }
  }

  List<OfferSource> sources() {
    String lower = base.toLowerCase(Locale.ROOT);
    if (lower.endsWith(".zip")) {
      request.refuseVersion();
      return zip();
    }
    if (Layout.isCsv(base)) {
      request.refuseVersion();
      String provider =
          request.providers().size() == 1
              ? request.providers().iterator().next()
              : Layout.providerOfFile(base);
      return List.of(source(provider, new Place(URI.create(base), false, null)));
    }
    return layout();
  }

  private List<OfferSource> zip() {
    RemoteFile file = files.apply(new Place(URI.create(base), false, null));
    List<String> names = file.read((archive, version, collectedAt) -> archive.csvNames());
    Map<String, String> entries =
        switch (request.format()) {
          case GPUHUNT -> Layout.csvByProvider(names);
          case SKYPILOT -> Layout.vmsByCloud(names);
        };
    return entries.entrySet().stream()
        .<OfferSource>map(
            it -> new MirrorSource(it.getKey(), request.format(), file, it.getValue(), limits))
        .toList();
  }

  private List<OfferSource> layout() {
    Set<String> providers =
        new TreeSet<>(request.providers().isEmpty() ? whatMayBeThere() : request.providers());
    List<OfferSource> sources = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Map<String, Future<Boolean>> absent = new TreeMap<>();
      providers.forEach(it -> absent.put(it, threads.submit(() -> isAbsent(it))));
      for (Map.Entry<String, Future<Boolean>> it : absent.entrySet()) {
        if (!it.getValue().get()) {
          sources.add(source(it.getKey(), place(it.getKey())));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CatalogException("Interrupted while asking " + base + ".", e);
    } catch (ExecutionException e) {
      throw new CatalogException("The mirror " + base + " cannot be asked.", e);
    }
    return sources;
  }

  /** What a manifest beside the folders names; where there is none, the usual providers. */
  private Set<String> whatMayBeThere() {
    Set<String> usual = USUAL.getOrDefault(request.format(), Set.of());
    try {
      Optional<String> manifest =
          mirror.text(URI.create(base + "/manifest.json"), LONGEST_MANIFEST);
      if (manifest.isEmpty()) {
        return usual;
      }
      Set<String> named = new TreeSet<>();
      for (String name : JSON.readTree(manifest.get()).path("providers").propertyNames()) {
        if (Layout.isProvider(name)) {
          named.add(name);
        }
      }
      return named.isEmpty() ? usual : named;
    } catch (IOException | JacksonException e) {
      // A mirror that is down may have good copies here; the files themselves tell more.
      LOG.log(System.Logger.Level.DEBUG, "The manifest of " + base + " cannot be read", e);
      return usual;
    }
  }

  /** A mirror that does not answer may have the file, and a copy of it may be here. */
  private boolean isAbsent(String provider) {
    Place place = place(provider);
    try {
      return mirror.isAbsent(place.versioned() ? place.version() : place.base());
    } catch (IOException unclear) {
      return false;
    }
  }

  private Place place(String provider) {
    return switch (request.format()) {
      case GPUHUNT -> new Place(URI.create(base + "/" + provider), true, request.version());
      case SKYPILOT -> new Place(URI.create(base + "/" + provider + "/vms.csv"), false, null);
    };
  }

  private OfferSource source(String provider, Place place) {
    return new MirrorSource(provider, request.format(), files.apply(place), null, limits);
  }
}
