package dev.berth.cli;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * Ctrl-C as an event. The JDK's class for it has no supported name, so it is found by reflection;
 * where it is missing Ctrl-C ends the command, and the run goes on.
 */
final class Interrupts {
  private Interrupts() {}

  static void handle(Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object proxy =
          Proxy.newProxyInstance(
              Interrupts.class.getClassLoader(),
              new Class<?>[] {handler},
              (self, method, arguments) -> answer(action, self, method, arguments));
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance("INT"), proxy);
    } catch (ReflectiveOperationException e) {
      System.getLogger(Interrupts.class.getName())
          .log(System.Logger.Level.DEBUG, "Ctrl-C is not handled", e);
    }
  }

  @SuppressWarnings("ReferenceEquality") // the identity of the proxy is what is asked for
  private static @Nullable Object answer(
      Runnable action, Object self, Method method, Object @Nullable [] arguments) {
    return switch (method.getName()) {
      case "handle" -> {
        action.run();
        yield null;
      }
      case "hashCode" -> System.identityHashCode(self);
      case "equals" -> arguments != null && self == arguments[0];
      default -> "Ctrl-C";
    };
  }
}
