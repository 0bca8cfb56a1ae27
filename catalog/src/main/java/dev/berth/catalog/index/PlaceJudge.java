package dev.berth.catalog.index;

import java.util.Optional;

/** Tells which places of a snapshot a question leaves. */
final class PlaceJudge {
  private final Places places;
  private final Words words;
  private final Question question;

  private PlaceJudge(Places places, Words words, Question question) {
    this.places = places;
    this.words = words;
    this.question = question;
  }

  static Chosen choose(Places places, Words words, Question question) {
    if (question.isOfAnyPlace()) {
      return Chosen.everything(places.size());
    }
    PlaceJudge judge = new PlaceJudge(places, words, question);
    Chosen chosen = new Chosen(places.size());
    for (int id = 0; id < places.size(); id++) {
      if (judge.allows(id)) {
        chosen.add(id);
      }
    }
    return chosen;
  }

  private boolean allows(int id) {
    int zone = places.zones().get(id);
    return (question.regions().isEmpty()
            || question.regions().contains(words.foldedText(places.regions().get(id)))
            || (zone != Words.NONE && question.regions().contains(words.foldedText(zone))))
        && (question.zones().isEmpty()
            || (zone != Words.NONE && question.zones().contains(words.foldedText(zone))))
        && (question.countries().isEmpty() || isIn(places.countries().get(id)));
  }

  private boolean isIn(Optional<String> country) {
    return country.map(Words::folded).filter(question.countries()::contains).isPresent();
  }
}
