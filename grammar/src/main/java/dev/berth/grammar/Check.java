package dev.berth.grammar;

import java.util.List;

/**
 * A rule over several fields of a record. It runs only where all the fields that it looks at were
 * read without error, so that one mistake is reported once.
 */
record Check<R>(List<String> fields, Body<R> body) {
  interface Body<R> {
    void check(R value, Findings findings);
  }

  /** Where a check says what it found. */
  interface Findings {
    /** Reports at the place of a field, or of the mapping where that field is not written. */
    void error(Rule rule, String field, String message);

    void warning(Rule rule, String field, String message);

    /**
     * The node of a written field, for messages that point inside it; an empty list where it is not
     * written.
     */
    Node node(String field);

    /** The pass, one field down. */
    Reading at(String field);

    boolean isWritten(String field);
  }
}
