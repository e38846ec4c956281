/** A small seeded random number generator (mulberry32). Equal seeds give equal sequences on every machine. */
export interface Random {
  /** Returns a uniform number in [0, 1). */
  next(): number
  /** Returns a uniform integer in [0, limit). */
  below(limit: number): number
  /** Returns one of the items; `undefined` when there are none. */
  pick<T>(items: readonly T[]): T
  /** Returns a string of this many hex digits. */
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
    // No check for `undefined`: an item may be `undefined`.
    pick: <T>(items: readonly T[]) => items[below(items.length)] as T,
    hex: (digits) => {
      let text = ''
      for (let i = 0; i < digits; i++) text += below(16).toString(16)
      return text
    },
  }
}
