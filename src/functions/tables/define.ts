import type { JsonValue, Meter } from '../../base/index.ts'
import { rowBytes, type Row } from '../../data/index.ts'
import type { TableFunction, TableState } from '../definition.ts'

/** A table function whose parameters the front end has made in the shape that the function says. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the one place that takes the shape on trust
export function defineTableFunction<P>(
  definition: Omit<TableFunction<JsonValue>, 'compile'> & { readonly compile: TableFunction<P>['compile'] },
): TableFunction<JsonValue> {
  return { ...definition, compile: (params, context) => definition.compile(params as P, context) }
}

/** Keeps all rows, then gives what a function makes of them. */
export class KeptRows implements TableState {
  readonly #rows: Row[] = []
  readonly #meter: Meter
  readonly #finish: (rows: readonly Row[]) => Iterable<Row | undefined>

  constructor(meter: Meter, finish: (rows: readonly Row[]) => Iterable<Row | undefined>) {
    this.#meter = meter
    this.#finish = finish
  }

  add(row: Row): void {
    this.#meter.charge(rowBytes(row))
    this.#rows.push(row)
  }

  finish(): Iterable<Row | undefined> {
    return this.#finish(this.#rows)
  }
}
