package dev.berth.hosts.access;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A command to start on a machine. It begins with no signal ignored, whatever the process that
 * starts it inherited.
 *
 * @param words the program and its arguments; no shell reads them
 * @param environment all its variables: it inherits none. They may hold secrets, so they are on no
 *     command line
 * @param folder where it starts; null for anywhere
 */
public record Command(
    List<String> words, Map<String, String> environment, @Nullable MachinePath folder) {
  public Command {
    words = List.copyOf(words);
    environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    if (words.isEmpty()) {
      throw new IllegalArgumentException("a command has a program");
    }
  }
}
