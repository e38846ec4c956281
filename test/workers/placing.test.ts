import { describe, expect, test } from 'vitest'
import { placeFor, type Place } from '../../src/workers/placing.ts'

interface Named extends Place {
  readonly name: string
}

/** A worker with jobs of these keys; one is heavier than another when it is a capital and the other is not. */
function worker(name: string, keys: string, state: Partial<Place> = {}): Named {
  const all = keys.split('')
  return {
    name,
    isActive: true,
    hasRoom: true,
    busyJobs: all.length,
    jobsOf: (key) => all.filter((of) => of === key).length,
    someKey: (isSuch) => all.some(isSuch),
    hasSuspect: false,
    ...state,
  }
}

const isCapital = (key: string): boolean => key !== key.toLowerCase()
const isHeavier = (other: string, key: string): boolean => isCapital(other) && !isCapital(key)
const isLight = (key: string): boolean => key.toLowerCase() === 'l'
const placing = { workers: 2, jobsPerWorker: 4, isHeavier, isLight, isHeavyKey: isCapital }
const placed = (key: string, places: readonly Named[], isSuspect = false): string | undefined =>
  placeFor({ key, isSuspect }, places, placing)?.name

describe('a job goes', () => {
  test.each([
    ['to the least busy worker', 'c', ['ab', 'a', ''], '2nd'],
    ['to no worker that is full', 'c', ['aaab', 'abbd', ''], undefined],
    ['nowhere when its key has all but one of the places', 'a', ['aaab', 'aaa', ''], undefined],
    ['past a worker with jobs of a heavier key', 'c', ['A', 'abb', ''], '2nd'],
    ['to the spare one when all others have some', 'c', ['A', 'Ab', ''], 'spare'],
    ['nowhere while its key has all but one of the places there', 'c', ['A', 'A', 'ccc'], undefined],
    ['to the spare one when its key is known to have short jobs', 'l', ['', '', ''], 'spare'],
    ['to another that is less busy, also then', 'l', ['a', '', 'l'], '2nd'],
    ['not there when there are lighter ones, however short its jobs are', 'L', ['', '', ''], '1st'],
    ['not there when its key is the heavy one', 'A', ['A', 'Ab', ''], '1st'],
    ['not there when it is as heavy', 'B', ['Ab', 'AB', ''], '1st'],
    ['to the least busy one when the spare one has jobs of a heavier key as well', 'c', ['AA', 'A', 'BB'], '2nd'],
  ] as const)('%s', (_, key, [first, second, spare], expected) => {
    expect(placed(key, [worker('1st', first), worker('2nd', second), worker('spare', spare)])).toBe(expected)
  })

  test('to the spare worker in the place of one that comes round to nothing', () => {
    const places = [worker('1st', 'a', { isActive: false }), worker('2nd', 'ab'), worker('spare', '')]
    expect(placed('c', places)).toBe('spare')
  })

  test('not to the spare one for a heavy key whose own jobs the others are stuck with', () => {
    const stuck = { isActive: false }
    const spare = worker('spare', 'c')
    expect(placed('A', [worker('1st', 'A', stuck), worker('2nd', 'AA'), spare])).toBe('2nd')
    expect(placed('A', [worker('1st', 'A', stuck), worker('2nd', 'AA', stuck), spare])).toBe(undefined)
    expect(placed('a', [worker('1st', 'a', stuck), worker('2nd', 'aa', stuck), spare])).toBe('spare')
    expect(placed('c', [worker('1st', 'A', stuck), worker('2nd', 'AA', stuck), spare])).toBe('spare')
  })

  test('alone when it is a suspect, and nothing beside a suspect', () => {
    const places = [worker('1st', 'a'), worker('2nd', 'b', { hasSuspect: true }), worker('spare', '')]
    expect(placed('c', places, true)).toBe(undefined)
    expect(placed('c', places)).toBe('1st')
    expect(placed('c', [worker('1st', ''), ...places.slice(1)], true)).toBe('1st')
  })
})
