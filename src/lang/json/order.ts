import type { Pipeline, Selector } from '../../wire/index.ts'

/**
 * Returns the alias among `selectors` to which an `orderBy` key refers; `undefined` if there is none. A key with
 * processors always refers to a column.
 */
export function aliasOf(pipeline: Pipeline, selector: Selector | undefined): string | undefined {
  if ((selector?.processors ?? []).length > 0) return undefined
  const wanted = selector?.alias ?? selector?.key
  return pipeline.selectors?.find(({ alias }) => alias !== undefined && alias === wanted)?.alias
}
