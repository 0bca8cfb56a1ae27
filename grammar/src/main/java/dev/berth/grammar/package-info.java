/**
 * Reading and writing the files of users.
 *
 * <p>A file goes from text to a tree with positions ({@link dev.berth.grammar.YamlReader}), and
 * from there through {@link dev.berth.grammar.Shape shapes} to the values of {@code
 * dev.berth.model.config}. One set of shapes reads the user's spelling, reads and writes the
 * normalised form, and yields the JSON Schema, so that the three cannot disagree. Nothing here
 * touches a file, a clock or the network.
 */
@NullMarked
package dev.berth.grammar;

import org.jspecify.annotations.NullMarked;
