/**
 * Returns the φ-quantile of the first `count` values, which must be in ascending order with NaN first. Interpolates
 * linearly between neighbours. −Inf for φ below 0, +Inf for φ above 1.
 */
export function quantileOfSorted(phi: number, sorted: Float64Array, count: number): number {
  if (count === 0 || phi !== phi) return NaN
  if (phi < 0) return -Infinity
  if (phi > 1) return Infinity
  const rank = phi * (count - 1)
  const lower = Math.max(0, Math.floor(rank))
  const upper = Math.min(count - 1, lower + 1)
  const weight = rank - Math.floor(rank)
  return sorted[lower] * (1 - weight) + sorted[upper] * weight
}

/** Returns the index at which to insert a value into ascending values with NaN first. */
function insertionPoint(sorted: Float64Array, size: number, value: number): number {
  if (value !== value) return 0
  let low = 0
  let high = size
  while (low < high) {
    const middle = (low + high) >>> 1
    const other = sorted[middle]
    if (other < value || other !== other) low = middle + 1
    else high = middle
  }
  return low
}

/** Sorts values with NaN first; typed arrays sort NaN last. */
export function sortNaNFirst(values: Float64Array): void {
  values.sort()
  let nans = 0
  while (nans < values.length && Number.isNaN(values[values.length - 1 - nans])) nans++
  if (nans === 0 || nans === values.length) return
  values.copyWithin(nans, 0, values.length - nans)
  values.fill(NaN, 0, nans)
}

/**
 * The values of a moving window, in ascending order with NaN first. While the window moves slowly, values are inserted
 * and removed one by one.
 */
export class SortedWindow {
  readonly #values: Float64Array
  #from = 0
  #to = 0
  sorted = new Float64Array(64)
  size = 0

  constructor(values: Float64Array) {
    this.#values = values
  }

  moveTo(from: number, to: number): void {
    const overlap = Math.min(to, this.#to) - Math.max(from, this.#from)
    const changes = to - from + (this.#to - this.#from) - 2 * Math.max(0, overlap)
    if (overlap <= 0 || from < this.#from || to < this.#to || changes * 2 > to - from) this.#rebuild(from, to)
    else this.#shift(from, to)
    this.#from = from
    this.#to = to
  }

  #rebuild(from: number, to: number): void {
    this.#reserve(to - from)
    this.size = to - from
    const view = this.sorted.subarray(0, this.size)
    view.set(this.#values.subarray(from, to))
    sortNaNFirst(view)
  }

  #shift(from: number, to: number): void {
    for (let i = this.#from; i < from; i++) this.#remove(this.#values[i])
    this.#reserve(to - from)
    for (let i = this.#to; i < to; i++) this.#insert(this.#values[i])
  }

  #reserve(size: number): void {
    if (this.sorted.length >= size) return
    const grown = new Float64Array(Math.max(size, this.sorted.length * 2))
    grown.set(this.sorted.subarray(0, this.size))
    this.sorted = grown
  }

  #remove(value: number): void {
    const at = insertionPoint(this.sorted, this.size, value)
    this.sorted.copyWithin(at, at + 1, this.size)
    this.size--
  }

  #insert(value: number): void {
    const at = insertionPoint(this.sorted, this.size, value)
    this.sorted.copyWithin(at + 1, at, this.size)
    this.sorted[at] = value
    this.size++
  }
}
