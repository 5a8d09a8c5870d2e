"""Short readable forms of expressions. In reading order: closed_form, polynomial, trigonometry,
variants, splits, collect, forms (what a form costs)."""
