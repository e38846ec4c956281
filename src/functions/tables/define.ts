import type { Meter } from '../../base/index.ts'
import { rowBytes, type Row } from '../../data/index.ts'
import type { CompileTable, TableFunction, TableImplementation, TableState } from '../definition.ts'

/** Combines the definition of a table function with its code. The parser creates parameters of type `P`. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the one place that takes the shape on trust
export function implementTable<P>(definition: TableFunction, compile: CompileTable<P>): TableImplementation {
  return { ...definition, compile: (params, context) => compile(params as P, context) }
}

/** Base of table functions that need all rows: collects the rows, then applies a function to them. */
export class KeptRows implements TableState {
  readonly #rows: Row[] = []
  readonly #meter: Meter
  readonly #finish: (rows: readonly Row[]) => Iterable<Row>

  constructor(meter: Meter, finish: (rows: readonly Row[]) => Iterable<Row>) {
    this.#meter = meter
    this.#finish = finish
  }

  add(row: Row): void {
    this.#meter.charge(rowBytes(row))
    this.#rows.push(row)
  }

  finish(): Iterable<Row> {
    return this.#finish(this.#rows)
  }
}
