import type { Pipeline, Selector } from '../../wire/index.ts'

/**
 * Returns the alias among `selectors` to which a key of `orderBy` refers. `undefined` for a key with processors, which
 * always refers to a column.
 */
export function aliasOf(pipeline: Pipeline, selector: Selector | undefined): string | undefined {
  if ((selector?.processors ?? []).length > 0) return undefined
  const wanted = selector?.alias ?? selector?.key
  return pipeline.selectors?.find(({ alias }) => alias !== undefined && alias === wanted)?.alias
}
