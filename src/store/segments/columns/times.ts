import { bitsTaken, type Bitmap, type TimeColumn } from '../../../data/index.ts'
import { arrayParts, bitsAhead, bitsParts, type ColumnSource } from '../column-source.ts'
import type { Stored } from '../layout.ts'
import type { ElementParts } from '../stored-array.ts'
import type { WantedPiece } from '../wanted-pieces.ts'

class LazyTimes {
  readonly kind = 'time'
  readonly length: number
  readonly baseNs: bigint
  readonly #deltas: ElementParts<Float64Array>
  readonly #validity: ElementParts<Bitmap> | undefined

  constructor(
    length: number,
    baseNs: bigint,
    deltas: ElementParts<Float64Array>,
    validity: ElementParts<Bitmap> | undefined,
  ) {
    this.length = length
    this.baseNs = baseNs
    this.#deltas = deltas
    this.#validity = validity
  }

  get deltas(): Float64Array {
    return this.#deltas.get()
  }

  readAhead(rows: Uint32Array): boolean {
    const isAhead = this.#deltas.readAhead(rows)
    return bitsAhead(this.#validity, rows) || isAhead
  }

  wanted(rows: Uint32Array): Iterable<WantedPiece> {
    return this.#deltas.wanted(rows)
  }

  taken(rows: Uint32Array): TimeColumn {
    const { baseNs } = this
    const validity = bitsTaken(this.validity, rows)
    return { kind: 'time', length: rows.length, baseNs, deltas: this.#deltas.taken(rows), validity }
  }

  get validity(): Bitmap | undefined {
    return this.#validity?.get()
  }
}

export function timesColumn(source: ColumnSource, { length, baseNs, deltas, validity }: Stored<'time'>): LazyTimes {
  const isRowTime = deltas.block === source.deltasBlock
  const part = isRowTime ? source.deltas : arrayParts(source, deltas, length, Float64Array)
  return new LazyTimes(length, BigInt(baseNs), part, bitsParts(source, validity, length))
}
