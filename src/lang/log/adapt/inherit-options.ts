import type { Query, QueryOption } from '../ast.ts'
import { mapNested } from './map-nested.ts'

/** Filters add up; of the other options the innermost holds. */
function inherited(options: readonly QueryOption[], own: readonly QueryOption[]): readonly QueryOption[] {
  const kept = options.filter(({ name }) => name === 'global_filter' || !own.some((each) => each.name === name))
  return [...kept, ...own]
}

/** A pipe or filter whose queries say all options that they would have inherited where it stood. */
export function withInheritedOptions<T extends object>(node: T, options: readonly QueryOption[]): T {
  if (options.length === 0) return node
  return mapNested(node, (nested: Query) => {
    const own = inherited(options, nested.options)
    return { ...withInheritedOptions(nested, own), options: own }
  })
}
