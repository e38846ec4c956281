import { expect, test } from 'vitest'
import { structMembers } from '../../src/catalog/struct-type.ts'

test.each([
  ['STRUCT(a VARCHAR)', [[['a'], 'VARCHAR']]],
  [
    'STRUCT("a b" STRUCT(D INTEGER, "when" TIMESTAMP WITH TIME ZONE), e VARCHAR[])',
    [
      [['a b', 'D'], 'INTEGER'],
      [['a b', 'when'], 'TIMESTAMP WITH TIME ZONE'],
      [['e'], 'VARCHAR[]'],
    ],
  ],
  [
    'STRUCT("x"",) (" DECIMAL(10,2), y ENUM(\'a)\', \'b,\'))',
    [
      [['x",) ('], 'DECIMAL(10,2)'],
      [['y'], "ENUM('a)', 'b,')"],
    ],
  ],
  ['STRUCT(a STRUCT(b INTEGER)[])', [[['a'], 'STRUCT(b INTEGER)[]']]],
  ['STRUCT(a INTEGER)[]', []],
  ['VARCHAR', []],
])('%s', (type, members) => {
  expect(structMembers(type).map((each) => [each.path, each.type])).toEqual(members)
})
