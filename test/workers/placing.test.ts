import { describe, expect, test } from 'vitest'
import { placeFor, type Place } from '../../src/workers/placing.ts'

interface Named extends Place {
  readonly name: string
}

/** A worker with jobs of these keys; those in capitals are long ones. */
function worker(name: string, keys: string, state: Partial<Place> = {}): Named {
  const all = keys.split('')
  return {
    name,
    isActive: true,
    hasRoom: true,
    busyJobs: all.length,
    jobsOf: (key) => all.filter((of) => of.toLowerCase() === key).length,
    longKeys: all.filter((of) => of !== of.toLowerCase()).map((of) => of.toLowerCase()),
    hasSuspect: false,
    ...state,
  }
}

const placing = { workers: 2, jobsPerWorker: 4 }
const placed = (key: string, places: readonly Named[], isSuspect = false): string | undefined =>
  placeFor({ key, isSuspect }, places, placing)?.name

describe('a job goes', () => {
  test.each([
    ['to the least busy worker', 'c', ['ab', 'a', ''], '2nd'],
    ['to no worker that is full', 'c', ['aaab', 'abbd', ''], undefined],
    ['nowhere when its key has all but one of the places', 'a', ['aaab', 'aaa', ''], undefined],
    ['past a worker with long jobs', 'c', ['A', 'abb', ''], '2nd'],
    ['to the spare one when all others have long jobs', 'c', ['A', 'Ab', ''], 'spare'],
    ['not there when its key has long jobs itself', 'a', ['A', 'Ab', ''], '1st'],
    ['not there for a key with long jobs, though others have them too', 'b', ['Ab', 'AB', ''], '1st'],
    ['to the least busy one when the spare one has long jobs as well', 'c', ['AA', 'A', 'BB'], '2nd'],
  ] as const)('%s', (_, key, [first, second, spare], expected) => {
    expect(placed(key, [worker('1st', first), worker('2nd', second), worker('spare', spare)])).toBe(expected)
  })

  test('to the spare worker in the place of one that comes round to nothing', () => {
    const places = [worker('1st', 'a', { isActive: false }), worker('2nd', 'ab'), worker('spare', '')]
    expect(placed('c', places)).toBe('spare')
  })

  test('alone when it is a suspect, and nothing beside a suspect', () => {
    const places = [worker('1st', 'a'), worker('2nd', 'b', { hasSuspect: true }), worker('spare', '')]
    expect(placed('c', places, true)).toBe(undefined)
    expect(placed('c', places)).toBe('1st')
    expect(placed('c', [worker('1st', ''), ...places.slice(1)], true)).toBe('1st')
  })
})
