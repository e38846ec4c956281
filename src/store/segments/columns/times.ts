import type { Bitmap } from '../../../data/index.ts'
import type { CachedPart } from '../block-cache.ts'
import { arrayPart, bitsPart, type ColumnSource } from '../column-source.ts'
import type { Stored } from '../layout.ts'

class LazyTimes {
  readonly kind = 'time'
  readonly length: number
  readonly baseNs: bigint
  readonly #deltas: CachedPart<Float64Array>
  readonly #validity: CachedPart<Bitmap> | undefined

  constructor(
    length: number,
    baseNs: bigint,
    deltas: CachedPart<Float64Array>,
    validity: CachedPart<Bitmap> | undefined,
  ) {
    this.length = length
    this.baseNs = baseNs
    this.#deltas = deltas
    this.#validity = validity
  }

  get deltas(): Float64Array {
    return this.#deltas.get()
  }

  get validity(): Bitmap | undefined {
    return this.#validity?.get()
  }
}

export function timesColumn(source: ColumnSource, { length, baseNs, deltas, validity }: Stored<'time'>): LazyTimes {
  const isRowTime = deltas.block === source.deltasBlock
  const part = isRowTime ? source.deltas : arrayPart(source, deltas, length, Float64Array)
  return new LazyTimes(length, BigInt(baseNs), part, bitsPart(source, validity, length))
}
