// @module-tag slow
import { expect, test } from 'vitest'
import { present } from '../../../src/base/index.ts'
import { forgedFiles } from './forged-files.ts'

/**
 * Paths of values whose forgery cannot be detected, because nothing else in the file confirms them. This is acceptable:
 * an attacker who can forge checksums can forge any value.
 */
const believed: Readonly<Record<string, readonly string[]>> = {
  rowGroup: [
    'columns',
    'columns.n.column.codes.block',
    'columns.n.counts',
    'columns.n.missingCount',
    'columns.n.name',
    'sequenceOffsets',
    'words',
    'words.groups',
  ],
  samples: [],
  part: ['filter.hashBits'],
}

test.each(Object.keys(forgedFiles))('forged contents of a file of kind %s are refused, or change nothing', (kind) => {
  const { forged, faults, refused, same, others } = present(forgedFiles[kind])(5)
  expect(faults).toEqual([])
  expect([...others.keys()].filter((name) => !present(believed[kind]).includes(name))).toEqual([])
  expect(refused).toBeGreaterThan(same)
  expect(forged).toBe([...others.values()].reduce((sum, count) => sum + count, refused + same))
})
