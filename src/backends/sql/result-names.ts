import type { Dialect } from './dialect.ts'

/** Names that ClickHouse would confuse with the alias of a source. */
const SOURCE_ALIAS = /^[tq]\d+(?:\.|$)/i

function canBeNamed(name: string, { maxNameBytes = Infinity }: Dialect): boolean {
  if (name === '' || name.includes('\0') || !name.isWellFormed() || SOURCE_ALIAS.test(name)) return false
  return new TextEncoder().encode(name).length <= maxNameBytes
}

/**
 * Chooses the names of result columns, which only people read; code reads columns by position. `wanted` has the query's
 * name of each column, or `undefined`. A name is used unchanged or not at all: a column without one, and one whose name
 * the database would cut or confuse with another column in any case, is called `c` and its position.
 */
export function resultNames(wanted: readonly (string | undefined)[], dialect: Dialect): readonly string[] {
  const taken = new Set<string>()
  const take = (name: string): string | undefined => {
    const folded = name.toLowerCase()
    if (taken.has(folded)) return undefined
    taken.add(folded)
    return name
  }
  const named = wanted.map((name) => (name !== undefined && canBeNamed(name, dialect) ? take(name) : undefined))
  return named.map((name, i) => {
    if (name !== undefined) return name
    let free = take(`c${i}`)
    for (let more = 2; free === undefined; more++) free = take(`c${i}_${more}`)
    return free
  })
}
