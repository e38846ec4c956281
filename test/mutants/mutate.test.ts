import { expect, test } from 'vitest'
import { mutantsOf } from './mutate.ts'

const source = `
export function above(values: readonly number[], least: number): number {
  // A comment.
  if (values.length === 0) return 0
  return values.filter((value) => value > least && value !== 7).length + 1
}
`
const laidOut = `export function above(
    values: readonly number[],
    least: number,
): number {
    if (values.length === 0)
        return 0;
    return values.filter((value) => value > least
        && value !== 7).length + 1; // the same
}
`

const keysOf = (text: string): readonly string[] => mutantsOf('a.ts', text).map(({ kind, key }) => `${kind} ${key}`)

test('layout changes no key, another token around does', () => {
  const keys = keysOf(source)
  expect(keys.map((key) => key.slice(0, key.indexOf(' above:')))).toEqual([
    'negated condition',
    'dropped guard',
    '=== to !==',
    '> to >=',
    '&& to ||',
    '!== to ===',
    '+ 1 to + 2',
  ])
  expect(keysOf(laidOut)).toEqual(keys)
  expect(keysOf(source.replace('least &&', 'most &&'))).not.toEqual(keys)
  expect(new Set(keysOf(source + source)).size).toBe(keys.length * 2)
})
