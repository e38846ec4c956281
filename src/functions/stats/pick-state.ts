import type { JsonValue, Meter } from '../../base/index.ts'
import { compareValues, isEmptyValue, type Value, valueBytes } from '../../data/index.ts'
import type { Accumulator } from '../definition.ts'
import { decodeValue, decodeValues, encodeValue, encodeValues } from './state-codec.ts'

/** The values and field names of one row of the group. */
export interface PickedRow {
  readonly key: Value
  readonly values: readonly Value[]
  readonly names: readonly string[]
}

/** True if a new row replaces the stored one. Rows arrive in order. */
export type Preference = (kept: PickedRow, row: PickedRow) => boolean

function heldBytes(row: PickedRow | undefined): number {
  return row === undefined ? 0 : row.values.reduce<number>((sum, value) => sum + 8 + valueBytes(value), 64)
}

/** Stores one row of the group: the first, the last, or the one with the least or greatest key. */
export class PickState implements Accumulator {
  #row: PickedRow | undefined
  readonly #read: (values: readonly Value[], names: readonly string[] | undefined) => PickedRow | undefined
  readonly #prefers: Preference
  readonly #finish: (row: PickedRow | undefined) => Value

  readonly #meter: Meter

  constructor(
    meter: Meter,
    read: (values: readonly Value[], names: readonly string[] | undefined) => PickedRow | undefined,
    prefers: Preference,
    finish: (row: PickedRow | undefined) => Value,
  ) {
    this.#meter = meter
    this.#read = read
    this.#prefers = prefers
    this.#finish = finish
  }

  add(values: readonly Value[], names?: readonly string[]): void {
    this.#see(this.#read(values, names))
  }

  #see(row: PickedRow | undefined): void {
    if (row !== undefined && (this.#row === undefined || this.#prefers(this.#row, row))) this.#keep(row)
  }

  #keep(row: PickedRow | undefined): void {
    this.#meter.charge(heldBytes(row) - heldBytes(this.#row))
    this.#row = row
  }

  merge(other: PickState): void {
    this.#see(other.#row)
  }

  finish(): Value {
    return this.#finish(this.#row)
  }

  export(): JsonValue {
    if (this.#row === undefined) return null
    return { key: encodeValue(this.#row.key), values: encodeValues(this.#row.values), names: this.#row.names }
  }

  import(state: JsonValue): void {
    if (state === null) {
      this.#keep(undefined)
      return
    }
    const from = state as { readonly key: JsonValue; readonly values: JsonValue; readonly names: readonly string[] }
    this.#keep({ key: decodeValue(from.key), values: decodeValues(from.values), names: from.names })
  }
}

/**
 * Separates the first argument, which is the key, from the values. `undefined` for a row without a key, which is
 * skipped.
 */
export function keyed([key = null, ...values]: readonly Value[], names: readonly string[]): PickedRow | undefined {
  return isEmptyValue(key) ? undefined : { key, values, names: names.slice(1) }
}

export const keepsFirst: Preference = () => false
export const takesGreater: Preference = (kept, row) => compareValues(row.key, kept.key) > 0
export const takesLess: Preference = (kept, row) => compareValues(row.key, kept.key) < 0
