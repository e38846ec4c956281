import { invariant } from '../../../../base/index.ts'
import { toText } from '../../../value.ts'
import type { ValueTestOf } from '../../../value-test.ts'
import type { TestOps } from '../ops.ts'
import { dayRange, weekRange } from './clock.ts'
import type { NamedTest } from './definition.ts'
import { ipv4Range, ipv6Range } from './ip-range.ts'
import { jsonArrayContainsAny } from './json-array.ts'
import { lenRange } from './len-range.ts'
import { patternMatch } from './pattern-match.ts'
import { valueType } from './value-type.ts'

const list: readonly NamedTest[] = [
  lenRange,
  ipv4Range,
  ipv6Range,
  jsonArrayContainsAny,
  dayRange,
  weekRange,
  valueType,
  patternMatch,
]

const byName = new Map(list.map((test) => [test.name, test]))

/** The names that `named` tests may have. */
export const namedTests: ReadonlySet<string> = new Set(byName.keys())

function testNamed(name: string): NamedTest {
  const found = byName.get(name)
  invariant(found !== undefined, `there is no test named ${name}`)
  return found
}

export const namedOps: TestOps<ValueTestOf<'named'>> = {
  text: (test) => testNamed(test.name).text(test.args),
  value: (test) => {
    const found = testNamed(test.name)
    if (found.value !== undefined) return found.value(test.args)
    const byText = found.text(test.args)
    return (value) => byText(typeof value === 'string' ? value : toText(value))
  },
  words: (test) => testNamed(test.name).words?.(test.args) ?? [],
}
