import { standardFunctions } from '../../src/functions/index.ts'
import type { EditorOptions } from '../../src/editor/index.ts'
import { standardCatalog } from '../../src/store/index.ts'

const values = new Map([
  ['level', ['error', 'warn', 'out of order']],
  ['cluster', ['eu', 'us']],
])

export const options: EditorOptions = {
  catalog: standardCatalog,
  functions: standardFunctions,
  values: (field) => values.get(field) ?? [],
}

/** Splits a query at `^`, which marks the cursor. */
export function marked(query: string): { readonly text: string; readonly offset: number } {
  const offset = query.indexOf('^')
  return { text: query.replace('^', ''), offset }
}
