import { describe, expect, test } from 'vitest'
import { ReadsAhead } from '../../../src/store/durable/reads-ahead.ts'

const FILE = 7
const BYTES = 4096
const HELD_MS = 0.01
const WAITED_MS = 0.08

function opened() {
  const read: number[] = []
  let running: (() => void)[] = []
  const ahead = new ReadsAhead((_descriptor, at, _length, done) => {
    read.push(at)
    running.push(done)
  })
  const reads = (at: number, milliseconds: number): void => {
    if (ahead.watches(FILE, at)) ahead.took(milliseconds, BYTES)
  }
  return {
    ahead,
    read,
    /** The system has read all that it was asked for. */
    answer: () => {
      for (const done of running) done()
      running = []
    },
    /** A read that is timed where it is wanted. */
    reads,
    /** As many reads in a row as it takes to ask from then on. */
    waits: () => {
      reads(-2, WAITED_MS)
      reads(-1, WAITED_MS)
    },
    /** Asks for so many places from one on. */
    ask: (from: number, count = 1) => {
      for (let at = from; at < from + count; at++) ahead.ask(FILE, at, BYTES)
    },
  }
}

describe('reads ahead', () => {
  test('nothing is asked for while reads find what the system has', () => {
    const { read, reads, ask } = opened()
    for (let at = 0; at < 100; at++) {
      reads(at, HELD_MS)
      ask(at + 1000)
    }
    expect(read).toEqual([])
  })

  test('from two reads in a row on that wait', () => {
    const { read, reads, ask } = opened()
    for (const milliseconds of [WAITED_MS, HELD_MS, WAITED_MS]) reads(0, milliseconds)
    ask(1)
    expect(read).toEqual([])
    reads(0, WAITED_MS)
    ask(1)
    expect(read).toEqual([1])
  })

  test('a long read of what the system has is no read that waits', () => {
    const { ahead, read, ask } = opened()
    for (let i = 0; i < 2; i++) ahead.took(0.3, 2 ** 20)
    ask(1)
    expect(read).toEqual([])
    for (let i = 0; i < 2; i++) ahead.took(1, 2 ** 20)
    ask(1)
    expect(read).toEqual([1])
  })

  test('one in 64 is left out, and its read alone is timed', () => {
    const { ahead, read, waits, ask } = opened()
    waits()
    ask(1, 65)
    expect(read).toHaveLength(64)
    expect(read).not.toContain(64)
    expect(ahead.watches(FILE, 64)).toBe(true)
    expect(ahead.watches(FILE, 65)).toBe(false)
    expect(ahead.watches(FILE + 1, 64)).toBe(false)
  })

  test('until three in a row of those did not wait', () => {
    const { read, answer, reads, waits, ask } = opened()
    waits()
    let at = 0
    const askAndRead = (milliseconds: number): void => {
      ask(at, 64)
      answer()
      at += 64
      reads(at - 1, milliseconds)
    }
    for (const milliseconds of [HELD_MS, HELD_MS, WAITED_MS, HELD_MS, HELD_MS]) askAndRead(milliseconds)
    expect(read).toHaveLength(5 * 63)
    askAndRead(HELD_MS)
    askAndRead(HELD_MS)
    expect(read).toHaveLength(6 * 63)
    waits()
    ask(at)
    expect(read.at(-1)).toBe(at)
  })

  test('no more at once than may wait', () => {
    const { read, answer, waits, ask } = opened()
    waits()
    ask(0, 600)
    expect(read).toHaveLength(256)
    answer()
    ask(1000, 10)
    expect(read).toHaveLength(266)
  })
})
