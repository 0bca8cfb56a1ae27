/** What the HTTP API takes and gives, as values. In JSON the names are written with underscores. */
@NullMarked
package dev.berth.model.api;

import org.jspecify.annotations.NullMarked;
