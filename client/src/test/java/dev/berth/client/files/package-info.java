@NullMarked
package dev.berth.client.files;

import org.jspecify.annotations.NullMarked;
