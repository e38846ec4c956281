// @module-tag slow
import { describe, expect, test } from 'vitest'
import { Bytes, present } from '../../../../src/base/index.ts'
import { GroupKeys, KeyEncoder } from '../../../../src/backends/columnar/keys/group-keys.ts'
import {
  columnOfValues,
  compareGroupTuples,
  gather,
  groupTupleText,
  isEmptyValue,
  valueAt,
  type Column,
  type Value,
} from '../../../../src/data/index.ts'
import { GrowingDictionary } from '../../../../src/store/memory/dictionary/dictionary.ts'
import { Draw } from '../random-plans.ts'
import { randomColumn } from '../window-columns.ts'

describe('numbers of groups', () => {
  test('are those of the key texts in order of appearance, over several frames', () => {
    for (let seed = 0; seed < 60; seed++) {
      const draw = new Draw(seed)
      const keyCount = 1 + draw.below(3)
      const groups = new GroupKeys(keyCount)
      const known = new Map<string, number>()
      const tuples: Value[][] = []
      const shared = Array.from({ length: keyCount }, () => randomColumn(draw, 300))
      for (let frame = 0; frame < 3; frame++) {
        const rows = Uint32Array.from({ length: 200 }, () => draw.below(300))
        const columns = shared.map((column) => (draw.chance(3) ? randomColumn(draw, 200) : gather(column, rows)))
        const expected = Array.from(rows, (_, row) => {
          const tuple = columns.map((column) => valueAt(column, row))
          const text = groupTupleText(tuple)
          const group = known.get(text) ?? known.size
          if (group === known.size) {
            known.set(text, group)
            tuples.push(tuple.map((value) => (isEmptyValue(value) ? null : value)))
          }
          return group
        })
        expect([...groups.groupsOf(columns, 200)], `seed ${seed}`).toEqual(expected)
        expect(groups.groupCount).toBe(known.size)
      }
      expect(tuples.map((_, group) => groups.keyValues(group))).toEqual(tuples)
      const sorted = tuples
        .map((_, group) => group)
        .sort((a, b) => compareGroupTuples(present(tuples[a]), present(tuples[b])))
      expect([...groups.sorted()]).toEqual(sorted)
    }
  })

  test('without keys there is one group', () => {
    const groups = new GroupKeys(0)
    expect([...groups.groupsOf([], 3)]).toEqual([0, 0, 0])
    expect(groups.groupCount).toBe(1)
    expect(groups.keyValues(0)).toEqual([])
  })

  test('of another encoder are those of its values, or nobody can tell', () => {
    for (let seed = 0; seed < 60; seed++) {
      const draw = new Draw(seed)
      const [from, to] = [new KeyEncoder(), new KeyEncoder()]
      for (let i = 0; i < 1 + draw.below(3); i++) from.encode(randomColumn(draw, 200))
      to.encode(randomColumn(draw, 200))
      const part = structuredClone(from.exportKeys())
      const values = Array.from({ length: from.size }, (_, id) => from.valueOf(id))
      const isSure = values.every(
        (value) => typeof value !== 'bigint' && (!Number.isInteger(value) || Number.isSafeInteger(value)),
      )
      expect(part !== undefined, `seed ${seed}`).toBe(isSure)
      if (part === undefined) continue
      const known = to.size
      const ids = to.mergePartial(part)
      expect(
        Array.from(ids, (id) => groupTupleText([to.valueOf(id)])),
        `seed ${seed}`,
      ).toEqual(values.map((value) => groupTupleText([value])))
      // All keys are distinct, and known keys keep their group ids.
      expect(new Set(ids).size).toBe(values.length)
      expect([...to.mergePartial(part)]).toEqual([...ids])
      expect(to.size).toBe(known + ids.filter((id) => id >= known).length)
    }
  })

  test('more texts than there is room for at first have numbers of their own, whichever way they come', () => {
    const texts = Array.from({ length: 5000 }, (_, i) => (i % 2 === 0 ? `${i}`.padStart(32, '0') : `text ${i}`))
    const bytes = Bytes.from(texts.join(''))
    const offsets = new Uint32Array(texts.length + 1)
    for (const [i, text] of texts.entries()) offsets[i + 1] = present(offsets[i]) + text.length
    const asText: Column = { kind: 'text', length: texts.length, bytes, offsets, validity: undefined, wide: undefined }
    const numbers = Array.from(texts, (_, i) => i)
    const dictionary = new GrowingDictionary()
    const codes = Uint32Array.from(texts, (text) => dictionary.entries.intern(text))
    const asCodes: Column = { kind: 'dictionary', length: texts.length, codes, dictionary }
    for (const columns of [
      [asText, asCodes, columnOfValues(texts)],
      [asCodes, columnOfValues(texts), asText],
      [columnOfValues(texts), asText, asCodes],
    ]) {
      const encoder = new KeyEncoder()
      for (const column of columns) expect([...encoder.encode(column)]).toEqual(numbers)
      expect(encoder.size).toBe(texts.length)
      expect(numbers.map((id) => encoder.valueOf(id))).toEqual(texts)
    }
  })
})
