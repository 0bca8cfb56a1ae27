package dev.berth.catalog.index;

import dev.berth.model.config.AcceleratorVendor;
import java.util.ArrayList;
import java.util.List;

/**
 * The dictionary of shapes.
 *
 * @param lists the lists of texts that shapes refer to
 * @param models in the order of their shapes
 */
record Shapes(ShapeColumns columns, Words words, List<List<String>> lists, List<Model> models) {
  static Shapes of(ShapeColumns columns, Words words, List<List<String>> lists) {
    List<Model> models = new ArrayList<>();
    int start = 0;
    for (int id = 1; id <= columns.size(); id++) {
      if (id == columns.size() || !sameModel(columns, start, id)) {
        models.add(model(columns, words, new Span(start, id)));
        start = id;
      }
    }
    return new Shapes(columns, words, lists, List.copyOf(models));
  }

  int size() {
    return columns.size();
  }

  Shape shape(int id) {
    return columns.shape(id, words, lists);
  }

  private static boolean sameModel(ShapeColumns columns, int left, int right) {
    return columns.gpuName().get(left) == columns.gpuName().get(right)
        && columns.gpuVendor().get(left) == columns.gpuVendor().get(right);
  }

  private static Model model(ShapeColumns columns, Words words, Span shapes) {
    String name = words.textOrNull(columns.gpuName().get(shapes.start()));
    if (name == null) {
      return Model.none(shapes);
    }
    String vendor = words.text(columns.gpuVendor().get(shapes.start()));
    return Model.of(AcceleratorVendor.valueOf(vendor), name, shapes);
  }
}
