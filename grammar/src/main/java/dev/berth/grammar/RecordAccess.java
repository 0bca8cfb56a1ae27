package dev.berth.grammar;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes and reads records by the names of their components; looks them up once. */
final class RecordAccess<R extends Record> {
  private final Constructor<R> constructor;
  private final Map<String, Method> accessors = new LinkedHashMap<>();

  RecordAccess(Class<R> type) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      accessors.put(components[i].getName(), components[i].getAccessor());
    }
    try {
      constructor = type.getDeclaredConstructor(types);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("a record has a constructor for its components", e);
    }
  }

  R construct(Map<String, @Nullable Object> values) {
    @Nullable Object[] arguments = accessors.keySet().stream().map(values::get).toArray();
    try {
      return constructor.newInstance(arguments);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(
          "the shape of " + name() + " let a value through that the record refuses", e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the record " + name() + " cannot be made", e);
    }
  }

  @Nullable Object read(Record record, String component) {
    Method accessor = accessors.get(component);
    if (accessor == null) {
      throw new IllegalStateException("no component " + component + " in " + name());
    }
    try {
      return accessor.invoke(record);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(component + " of " + name() + " cannot be read", e);
    }
  }

  private String name() {
    return constructor.getDeclaringClass().getSimpleName();
  }
}
