package dev.berth.control.offers;

import dev.berth.decisions.OfferAnswer;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;

/**
 * The answer to a requirement for people to read.
 *
 * @param total how many offers there are, of which the answer may have the cheapest only
 * @param collectedAt when each backend's offers were collected, by the backend's key
 * @param warnings what is wrong with the answers of backends, by their keys
 */
public record OfferListing(
    OfferAnswer answer,
    long total,
    Map<String, Instant> collectedAt,
    SortedMap<String, String> warnings) {}
