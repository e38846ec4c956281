import type { Dialect } from './dialect.ts'

/** ClickHouse would look for the column of a source in a result column that is named as the source. */
const SOURCE_ALIAS = /^[tq]\d+(?:\.|$)/i

function canBeNamed(name: string, { maxNameBytes = Infinity }: Dialect): boolean {
  if (name === '' || name.includes('\0') || !name.isWellFormed() || SOURCE_ALIAS.test(name)) return false
  return new TextEncoder().encode(name).length <= maxNameBytes
}

/**
 * Names of result columns, which only people read: readers of rows go by the positions of columns. `wanted` has the query's
 * name of each column, or `undefined`. A name stands as it is or not at all: a column without one is called `c` and its
 * position, and so is one whose name the database would cut, or take for that of another column in any case.
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
