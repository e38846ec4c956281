import type { JsonValue } from '../../base/index.ts'
import type { RowFunction } from '../definition.ts'

/** A row function whose parameters the front end has made in the shape that the function says. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the one place that takes the shape on trust
export function defineRowFunction<P>(
  definition: Omit<RowFunction<JsonValue>, 'compile'> & { readonly compile: RowFunction<P>['compile'] },
): RowFunction<JsonValue> {
  return { ...definition, compile: (params, context) => definition.compile(params as P, context) }
}
