import type { CompileRow, RowFunction, RowImplementation } from '../definition.ts'

/** Combines the definition of a row function with its code. The parser creates parameters of type `P`. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the one place that takes the shape on trust
export function implementRow<P>(definition: RowFunction, compile: CompileRow<P>): RowImplementation {
  return { ...definition, compile: (params, context) => compile(params as P, context) }
}
