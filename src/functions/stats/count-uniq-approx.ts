import { ENTRY_BYTES, type JsonValue, type Meter } from '../../base/index.ts'
import { groupTupleText, isEmptyValue, xxh64, type Value } from '../../data/index.ts'
import type { Accumulator, MakeAccumulator, StatsFunction } from '../definition.ts'
import { HyperLogLog } from '../text/hyper-log-log.ts'

/** Maximum number of hashes that are stored; up to this number the count is exact. */
const MAX_EXACT = 1024

class CountUniqApproxState implements Accumulator {
  #hashes = new Set<bigint>()
  #sketch: HyperLogLog | undefined
  readonly #limit: number

  readonly #meter: Meter

  constructor(limit: number | undefined, meter: Meter) {
    this.#meter = meter
    this.#limit = limit ?? Infinity
  }

  add(values: readonly Value[]): void {
    if (!values.every(isEmptyValue)) this.#see(xxh64(groupTupleText(values)))
  }

  #see(hash: bigint): void {
    if (this.#sketch !== undefined) {
      this.#sketch.add(hash)
      return
    }
    if (this.#hashes.has(hash)) return
    this.#meter.charge(ENTRY_BYTES)
    this.#hashes.add(hash)
    if (this.#hashes.size > MAX_EXACT) this.#toSketch()
  }

  #toSketch(): HyperLogLog {
    const sketch = this.#sketch ?? new HyperLogLog()
    if (this.#sketch === undefined) this.#meter.charge(sketch.registers.length - this.#hashes.size * ENTRY_BYTES)
    for (const hash of this.#hashes) sketch.add(hash)
    this.#hashes = new Set()
    this.#sketch = sketch
    return sketch
  }

  merge(other: CountUniqApproxState): void {
    if (other.#sketch !== undefined) this.#toSketch().merge(other.#sketch.registers)
    for (const hash of other.#hashes) this.#see(hash)
  }

  finish(): Value {
    return Math.min(this.#sketch?.estimate() ?? this.#hashes.size, this.#limit)
  }

  export(): JsonValue {
    return {
      hashes: Array.from(this.#hashes, String),
      registers: this.#sketch === undefined ? null : [...this.#sketch.registers],
    }
  }

  import(state: JsonValue): void {
    const { hashes, registers } = state as {
      readonly hashes: readonly string[]
      readonly registers: readonly number[] | null
    }
    this.#sketch = undefined
    this.#hashes = new Set()
    for (const hash of hashes) this.#see(BigInt(hash))
    if (registers !== null) this.#toSketch().merge(Uint8Array.from(registers))
  }
}

export const countUniqApprox: StatsFunction = {
  name: 'count_uniq_approx',
  aliases: [],
  signature: { params: [], minArgs: 1, maxArgs: Infinity },
  form: { takesPatterns: false, takesLimit: true },
  returns: () => 'integer',
  algebra: 'algebraic',
  isOrderSensitive: false,
  doc: {
    summary:
      'About how many distinct values, or combinations, there are: exact up to 1024, then within about 1 %, in 16 KiB.',
    parameters: [
      { name: 'field…', text: 'fields of a combination' },
      { name: 'limit N', text: 'say N at most' },
    ],
    examples: [{ query: '* | stats count_uniq_approx(trace_id) traces' }],
  },
}

export const countUniqApproxAccumulator: MakeAccumulator = ({ limit, meter }) => new CountUniqApproxState(limit, meter)
