import { expect, test } from 'vitest'
import { memberTexts } from '../../../../src/backends/sql/foreign/member-texts.ts'

test.each([
  ['{}', []],
  [
    '{"a": {"b": 1.50, "c": [1, 2]}, "d": "x"}',
    [
      ['a', '{"b": 1.50, "c": [1, 2]}'],
      ['d', '"x"'],
    ],
  ],
  [
    '{"\\"}": [", }", {"\\\\": "]"}] , "e" :1e400 }',
    [
      ['"}', '[", }", {"\\\\": "]"}]'],
      ['e', '1e400'],
    ],
  ],
  [
    '{"":{},"\\u00e9":[[]],"n":null}',
    [
      ['', '{}'],
      ['é', '[[]]'],
      ['n', 'null'],
    ],
  ],
])('members of %s are as they are written', (json, members) => {
  expect([...memberTexts(json)]).toEqual(members)
})
