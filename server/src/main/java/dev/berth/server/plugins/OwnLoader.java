package dev.berth.server.plugins;

import dev.berth.spi.Compute;
import dev.berth.spi.OfferSource;
import dev.berth.spi.Offers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls a plug-in with its own loader as the thread's: libraries look there for their parts, and
 * would otherwise find those of the server.
 */
public final class OwnLoader {
  private OwnLoader() {}

  public static void run(InstalledType type, Runnable call) {
    call(
        type,
        () -> {
          call.run();
          return true;
        });
  }

  public static <T> T call(InstalledType type, Supplier<T> call) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(type.loader());
    try {
      return call.get();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** A backend all of whose calls, and those to what it gives, are made so. */
  public static Compute wrap(InstalledType type, Compute compute) {
    return type.isBundled() ? compute : (Compute) wrap(Compute.class, compute, type.loader());
  }

  static OfferSource wrap(OfferSource source, ClassLoader loader) {
    return (OfferSource) wrap(OfferSource.class, source, loader);
  }

  private static Object wrap(Class<?> contract, Object target, ClassLoader loader) {
    return Proxy.newProxyInstance(
        OwnLoader.class.getClassLoader(),
        new Class<?>[] {contract},
        (_, method, arguments) -> invoke(target, method, arguments, loader));
  }

  private static @Nullable Object invoke(
      Object target, Method method, Object @Nullable [] arguments, ClassLoader loader)
      throws Throwable {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      Object result = method.invoke(target, arguments);
      // A behaviour is called later, and its calls need the loader too.
      Class<?> contract = optionalContract(method);
      if (result instanceof Offers.Live(OfferSource source)) {
        return new Offers.Live((OfferSource) wrap(OfferSource.class, source, loader));
      }
      if (result instanceof List<?> list
          && !list.isEmpty()
          && list.getFirst() instanceof OfferSource) {
        return list.stream().map(source -> wrap((OfferSource) source, loader)).toList();
      }
      return contract != null && result instanceof Optional<?> optional
          ? optional.map(value -> wrap(contract, value, loader))
          : result;
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** What an optional result promises, where it is a part of the contract. */
  private static @Nullable Class<?> optionalContract(Method method) {
    return method.getGenericReturnType() instanceof ParameterizedType type
            && type.getRawType() == Optional.class
            && type.getActualTypeArguments()[0] instanceof Class<?> contract
            && contract.isInterface()
        ? contract
        : null;
  }
}
