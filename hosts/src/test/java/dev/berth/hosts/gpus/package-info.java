@NullMarked
package dev.berth.hosts.gpus;

import org.jspecify.annotations.NullMarked;
