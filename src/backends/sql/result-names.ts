import type { Dialect } from './dialect.ts'

/** Matches names that ClickHouse would confuse with the alias of a source, such as `t1`. */
const SOURCE_ALIAS = /^[tq]\d+(?:\.|$)/i

function canBeNamed(name: string, { maxNameBytes = Infinity }: Dialect): boolean {
  if (name === '' || name.includes('\0') || !name.isWellFormed() || SOURCE_ALIAS.test(name)) return false
  return new TextEncoder().encode(name).length <= maxNameBytes
}

/**
 * Chooses the names of the result columns. People read the names; code reads columns by position. `wanted` has the name
 * of each column in the query, or `undefined`. A name is used unchanged or not at all. A column is called `c` plus its
 * position if it has no name, if the database could not represent the name, or if the name equals an earlier one
 * regardless of case.
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
