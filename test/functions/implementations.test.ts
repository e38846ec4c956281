import { expect, test } from 'vitest'
import { standardDefinitions, standardFunctions } from '../../src/functions/index.ts'

test.each(['stats', 'rows', 'tables'] as const)(
  'every function of %s is computed, in the order of the definitions',
  (kind) => {
    const names = (all: readonly { readonly name: string }[]): readonly string[] => all.map(({ name }) => name)
    expect(names(standardFunctions[kind].all)).toEqual(names(standardDefinitions[kind].all))
  },
)
