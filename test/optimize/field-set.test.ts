import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../src/base/index.ts'
import { covers, mayOverlap } from '../../src/optimize/field-set.ts'
import { FieldSet } from '../../src/optimize/index.ts'
import { matchesField, type FieldPattern } from '../../src/plan/index.ts'

const patternOf = (text: string): FieldPattern => ({ parts: text.split('*') })
const plain = ['a', 'b', 'ab', 'kube.x', 'kube.y', '']
const starred = ['a*', 'ab*', '*', 'kube.*', '*b', 'a*c', '*x*']
const names = [...plain, 'abc', 'axc', 'kube.xx', 'z']

interface Step {
  readonly isAdded: boolean
  readonly pattern: FieldPattern
}

function stepsOf(seed: number, texts: readonly string[]): readonly Step[] {
  const random = seededRandom(seed)
  return Array.from({ length: 1 + random.below(7) }, () => ({
    isAdded: random.below(2) === 0,
    pattern: patternOf(random.pick(texts)),
  }))
}

function setOf(steps: readonly Step[]): FieldSet {
  return steps.reduce(
    (set, { isAdded, pattern }) => (isAdded ? set.with([pattern]) : set.without([pattern])),
    FieldSet.none,
  )
}

/** Reference implementation: the last step that matches a name decides. */
function isIn(steps: readonly Step[], name: string): boolean {
  return steps.findLast(({ pattern }) => matchesField(pattern, name))?.isAdded === true
}

describe('sets of field names', () => {
  test('hold at least what was put in', () => {
    for (let seed = 0; seed < 3000; seed++) {
      const steps = stepsOf(seed, [...plain, ...starred])
      const set = setOf(steps)
      for (const name of names) if (isIn(steps, name)) expect(set.has(name), `seed ${seed}, ${name}`).toBe(true)
    }
  })

  test('of plain names are exact, and changes in one draft are the same', () => {
    for (let seed = 0; seed < 1000; seed++) {
      const steps = stepsOf(seed, plain)
      const set = setOf(steps)
      const inOne = FieldSet.none.changed((draft) => {
        for (const { isAdded, pattern } of steps) draft[isAdded ? 'add' : 'remove']([pattern])
      })
      expect(set.names()?.toSorted()).toEqual(names.filter((name) => isIn(steps, name)).toSorted())
      expect(inOne.names()?.toSorted()).toEqual(set.names()?.toSorted())
    }
  })

  test('a set that was changed stays as it was', () => {
    const set = FieldSet.named(['a', 'b'])
    expect(set.without([patternOf('a')]).names()).toEqual(['b'])
    expect(set.with([patternOf('c')]).names()).toEqual(['a', 'b', 'c'])
    expect(set.names()).toEqual(['a', 'b'])
  })

  test('what is denied counts only where something is allowed by pattern', () => {
    expect(FieldSet.all.without([patternOf('a')]).denied).toEqual([patternOf('a')])
    expect(FieldSet.named(['b']).without([patternOf('a')]).denied).toEqual([])
    expect(FieldSet.all.without([patternOf('a'), patternOf('*')]).denied).toEqual([])
  })
})

describe('two patterns', () => {
  const all = [...plain, ...starred].map(patternOf)
  const words = [...names, 'axb', 'xc', 'aaxbb', 'b', 'ax', 'kube.', 'kube']

  test('one covers the other only when it matches all that the other does', () => {
    for (const a of all) {
      for (const b of all) {
        if (!covers(a, b)) continue
        for (const name of words) if (matchesField(b, name)) expect(matchesField(a, name)).toBe(true)
      }
    }
    expect(covers(patternOf('a*'), patternOf('ab*'))).toBe(true)
    expect(covers(patternOf('ab*'), patternOf('a*'))).toBe(false)
    expect(covers(patternOf('*'), patternOf('*x*'))).toBe(true)
    expect(covers(patternOf('a*'), patternOf('a*c'))).toBe(true)
    expect(covers(patternOf('a*c'), patternOf('a*c'))).toBe(true)
    expect(covers(patternOf('a*c'), patternOf('a*'))).toBe(false)
    expect(covers(patternOf('*b'), patternOf('*x*'))).toBe(false)
  })

  test('overlap whenever a name matches both', () => {
    for (const a of all) {
      for (const b of all) {
        if (words.some((name) => matchesField(a, name) && matchesField(b, name))) expect(mayOverlap(a, b)).toBe(true)
        expect(mayOverlap(a, b)).toBe(mayOverlap(b, a))
      }
    }
  })

  test('one of which is a name overlap only when the other matches it', () => {
    for (const name of words) {
      for (const pattern of [...all, patternOf('a*x*c'), patternOf('k*x*y')]) {
        expect(mayOverlap(pattern, { parts: [name] }), name).toBe(matchesField(pattern, name))
        expect(mayOverlap({ parts: [name] }, pattern), name).toBe(matchesField(pattern, name))
      }
    }
    expect(mayOverlap(patternOf('a*x*c'), patternOf('ac'))).toBe(false)
  })

  test('with other starts or other ends do not overlap', () => {
    expect(mayOverlap(patternOf('a*'), patternOf('b*'))).toBe(false)
    expect(mayOverlap(patternOf('a*'), patternOf('ab*'))).toBe(true)
    expect(mayOverlap(patternOf('ab*'), patternOf('a*'))).toBe(true)
    expect(mayOverlap(patternOf('*b'), patternOf('*c'))).toBe(false)
    expect(mayOverlap(patternOf('*c'), patternOf('*bc'))).toBe(true)
    expect(mayOverlap(patternOf('a*b'), patternOf('a*c'))).toBe(false)
  })
})
