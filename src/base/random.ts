/** A small seeded generator (mulberry32): the same seed tells the same story on every machine. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number
  /** Uniform integer in [0, below). */
  below(limit: number): number
  /** One of the items; `undefined` of none. */
  pick<T>(items: readonly T[]): T
  /** Hex digits. */
  hex(digits: number): string
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    next,
    below,
    // An item may be undefined itself.
    pick: <T>(items: readonly T[]) => items[below(items.length)] as T,
    hex: (digits) => {
      let text = ''
      for (let i = 0; i < digits; i++) text += below(16).toString(16)
      return text
    },
  }
}
