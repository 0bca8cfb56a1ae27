package dev.berth.grammar;

import dev.berth.grammar.Reading.Dialect;
import dev.berth.model.api.OfferRequest;
import dev.berth.model.config.CpuSpec;
import dev.berth.model.config.GpuSpec;
import dev.berth.model.config.Range;
import dev.berth.model.config.Size;
import dev.berth.model.offers.Accelerators;
import dev.berth.model.offers.OfferFilter;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Understands questions for offers, in the words that configuration files use. */
public final class OfferQuestion {
  private static final Set<String> COUNTRIES = Set.of(Locale.getISOCountries());

  private OfferQuestion() {}

  /** A part of a question that is wrong. */
  public static final class WrongException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String field;

    WrongException(String field, String message) {
      super(message);
      this.field = field;
    }

    /** The field of the request. */
    public String field() {
      return field;
    }
  }

  /**
   * What exactly is asked for; nothing is added to what the request says.
   *
   * @throws WrongException for the first part that cannot be understood
   */
  public static OfferFilter filter(OfferRequest request) {
    CpuSpec cpu = read("cpu", Resources.CPU, request.cpu());
    Double maxPrice = request.maxPrice();
    if (maxPrice != null && !(maxPrice >= 0 && Double.isFinite(maxPrice))) {
      throw new WrongException("max_price", "expected a price in dollars an hour");
    }
    for (String country : request.countries()) {
      if (!COUNTRIES.contains(country.toUpperCase(Locale.ROOT))) {
        throw new WrongException(
            "countries",
            "expected the two letters of a country, such as DE or GB, found '" + country + "'");
      }
    }
    return new OfferFilter(
        Set.copyOf(request.backends()),
        Set.copyOf(request.regions()),
        Set.of(),
        Set.copyOf(request.countries()),
        Set.copyOf(request.instanceTypes()),
        cpu == null ? null : cpu.count(),
        cpu == null ? null : cpu.arch(),
        Size.mib(read("memory", RangeShape.SIZE, request.memory())),
        Size.mib(read("disk", RangeShape.SIZE, request.disk())),
        gpu(read("gpu", Resources.GPU, request.gpu())),
        request.spot(),
        maxPrice == null ? null : new Range<>(null, maxPrice),
        null,
        request.includeSuspect());
  }

  private static OfferFilter.Gpu gpu(@Nullable GpuSpec spec) {
    return spec == null ? OfferFilter.Gpu.ANY : OfferFilter.Gpu.of(spec, memory(spec));
  }

  /** A size in a name, as in A100-80GB, is the memory; more than one size would say two things. */
  private static @Nullable Range<Long> memory(GpuSpec spec) {
    Range<Long> written = Size.mib(spec.memory());
    Range<Long> named = null;
    for (String name : spec.name()) {
      OptionalInt stated = Accelerators.statedMemoryGib(name);
      if (stated.isPresent()) {
        named = Range.exactly(stated.getAsInt() * 1024L);
      }
    }
    if (named != null && (written != null || spec.name().size() > 1)) {
      throw new WrongException(
          "gpu", "a name says a memory of its own; write it apart, such as A100:80GB");
    }
    return named == null ? written : named;
  }

  private static <T> @Nullable T read(String field, Shape<T> shape, @Nullable String text) {
    if (text == null) {
      return null;
    }
    Reading reading = new Reading(Dialect.USER, false);
    T value = shape.read(new Node.Scalar(Position.START, text, true), reading);
    if (value == null || reading.errorCount() > 0) {
      String sentence =
          reading.errors().isEmpty()
              ? "expected a value, found nothing"
              : reading.errors().getFirst().message();
      throw new WrongException(field, sentence);
    }
    return value;
  }
}
