import type { Pipeline, Selector } from '../../wire/index.ts'

/** The alias among `selectors` that a key of `orderBy` means; a key with processors is a column. */
export function aliasOf(pipeline: Pipeline, selector: Selector | undefined): string | undefined {
  if ((selector?.processors ?? []).length > 0) return undefined
  const wanted = selector?.alias ?? selector?.key
  return pipeline.selectors?.find(({ alias }) => alias !== undefined && alias === wanted)?.alias
}
