"""Short readable forms of expressions. In reading order: closed_form, polynomial, trigonometry,
variants, splits, collect, forms (forms and their prices), display (closed forms to be shown)."""
