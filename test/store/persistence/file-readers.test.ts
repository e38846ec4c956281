import { expect, test } from 'vitest'
import { FileReaders, ReadsInWork, readWords } from '../../../src/store/persistence/index.ts'

/** Registers a reading thread. Returns its reads as the thread counts them, and the removals that it is told about. */
function reading(readers: FileReaders) {
  const words = readWords()
  const removed: string[] = []
  const leave = readers.add({ words, removed: (paths) => removed.push(...paths) })
  return { reads: new ReadsInWork(words), removed, leave }
}

test('files stay until every read has ended that began before they left', () => {
  const version = new Int32Array(new SharedArrayBuffer(4))
  const readers = new FileReaders(version)
  const thread = reading(readers)
  const first = thread.reads.begin(0)
  const own = readers.begin()
  const mark = readers.mark()
  expect(version[0]).toBe(1)
  const second = thread.reads.begin(1)
  expect(readers.haveEnded(mark)).toBe(false)
  first()
  expect(readers.haveEnded(mark)).toBe(false)
  own()
  expect(readers.haveEnded(mark)).toBe(true)
  // The read that began later still uses the files that were removed later.
  const later = readers.mark()
  expect(readers.haveEnded(later)).toBe(false)
  second()
  second()
  expect(readers.haveEnded(later)).toBe(true)
})

test('of several reads of one version the last one counts', () => {
  const readers = new FileReaders()
  const { reads } = reading(readers)
  const ends = [reads.begin(0), reads.begin(0)]
  const mark = readers.mark()
  ends[0]?.()
  expect(readers.haveEnded(mark)).toBe(false)
  ends[1]?.()
  expect(readers.haveEnded(mark)).toBe(true)
})

test('a thread that has ended holds nothing, and is reported nothing', () => {
  const readers = new FileReaders()
  const thread = reading(readers)
  thread.reads.begin(0)
  const mark = readers.mark()
  readers.removed(['a'])
  thread.leave()
  readers.removed(['b'])
  expect(readers.haveEnded(mark)).toBe(true)
  expect(thread.removed).toEqual(['a'])
})

test('versions may go round', () => {
  const readers = new FileReaders(new Int32Array(new SharedArrayBuffer(4)).fill(2 ** 31 - 1))
  const { reads } = reading(readers)
  const end = reads.begin(2 ** 31 - 1)
  const mark = readers.mark()
  expect(mark).toBe(-(2 ** 31))
  expect(readers.haveEnded(mark)).toBe(false)
  reads.begin(mark)
  end()
  expect(readers.haveEnded(mark)).toBe(true)
})
