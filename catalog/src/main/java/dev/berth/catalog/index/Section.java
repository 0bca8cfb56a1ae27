package dev.berth.catalog.index;

import java.util.EnumSet;
import java.util.List;

/**
 * The parts of a snapshot file, in their order. All numbers in it are little-endian; each part
 * begins at a multiple of 8 bytes. A new part at the end, or another meaning, is a new format.
 */
enum Section {
  /** Source, version, time and accounting. */
  META,
  /** The end of each text among the bytes of all. */
  WORD_ENDS,
  /** All texts as UTF-8, one after the other. */
  WORD_BYTES,
  /** Lists of texts: for each its size, then the numbers of its texts. */
  LISTS,
  /** {@link ShapeColumns}. */
  SHAPES,
  /** {@link Places}. */
  PLACES,
  OFFER_PRICES,
  OFFER_SHAPES,
  OFFER_PLACES,
  OFFER_SHAPE_STARTS,
  OFFER_SHAPE_ROWS,
  OFFER_SHAPE_OTHERS,
  OFFER_PLACE_STARTS,
  OFFER_PLACE_ROWS,
  OFFER_PLACE_OTHERS,
  SUSPECT_PRICES,
  SUSPECT_SHAPES,
  SUSPECT_PLACES,
  SUSPECT_SHAPE_STARTS,
  SUSPECT_SHAPE_ROWS,
  SUSPECT_SHAPE_OTHERS,
  SUSPECT_PLACE_STARTS,
  SUSPECT_PLACE_ROWS,
  SUSPECT_PLACE_OTHERS,
  /** Why each suspect is one, as numbers of texts. */
  SUSPECT_REASONS;

  /** The parts of a table: prices, shapes, places, then the postings of both. */
  static final List<Section> OFFERS = List.copyOf(EnumSet.range(OFFER_PRICES, OFFER_PLACE_OTHERS));

  static final List<Section> SUSPECTS =
      List.copyOf(EnumSet.range(SUSPECT_PRICES, SUSPECT_PLACE_OTHERS));
}
