import { expect, test } from 'vitest'
import { Budget } from '../../../src/base/index.ts'
import { aheadMs, isRestLong } from '../../../src/backends/columnar/group/share-join.ts'
import type { GivenPart, Helpers, OfferedWork } from '../../../src/backends/columnar/index.ts'
import { QueryEnd } from '../../../src/backends/columnar/query-end.ts'
import { SharedPieces, type PiecesSoFar } from '../../../src/backends/columnar/shared-pieces.ts'
import { Waits } from '../../../src/backends/columnar/waits.ts'

const PIECES = 8
const part = 'found'

interface Setting {
  readonly leastMs: number
  /** Pieces that are left to this thread, one after the other, once it has asked for help. */
  readonly left?: number[]
  readonly given?: GivenPart[]
  readonly isWaiting?: () => boolean
  readonly isWorthSharing?: (soFar: PiecesSoFar) => boolean
  readonly isShareable?: () => boolean
  readonly isOfUse?: boolean
}

/** Pieces by a clock that `work` moves. */
function piecesOf({
  leastMs,
  left = [],
  given = [],
  isWaiting = () => false,
  isWorthSharing = () => true,
  isShareable,
  isOfUse = true,
}: Setting) {
  let nowMs = 0
  let ended = 0
  const offers: OfferedWork[] = []
  const taken: number[] = []
  const helpers: Helpers = {
    leastMs,
    count: 1,
    share(work) {
      offers.push(work)
      return {
        next: () => left.shift(),
        given: () => given.shift(),
        get isWaiting() {
          return isWaiting()
        },
        settle: () => undefined,
        come: () => Promise.resolve(),
        go: () => undefined,
        end: () => void ended++,
      }
    },
  }
  const budget = new Budget({ memoryBytes: 1e9, timeoutMs: 60_000, scanRows: 1e9 }, () => 0)
  const pieces = new SharedPieces<string>({
    query: { helpers, budget, end: new QueryEnd(), waits: new Waits() },
    pieceCount: PIECES,
    task: () => ({}),
    isWorthSharing,
    isShareable,
    take: (_, some) => {
      if (isOfUse) taken.push(...some)
      return isOfUse
    },
    nowMs: () => nowMs,
  })
  const work = (milliseconds: number): void => pieces.measured(() => void (nowMs += milliseconds))
  return { pieces, work, offers, taken, ended: () => ended }
}

function allOf(pieces: SharedPieces<string>, from?: number): (number | 'later' | undefined)[] {
  const all: (number | 'later' | undefined)[] = []
  for (let piece = pieces.next(from); piece !== undefined; piece = pieces.next()) all.push(piece)
  return all
}

test('pieces come in their order where nobody helps, without those below the first one wanted', () => {
  const { pieces, offers } = piecesOf({ leastMs: 1e9 })
  expect(allOf(pieces, 3)).toEqual([3, 4, 5, 6, 7])
  expect(offers).toEqual([])
})

test('others are asked once, from the first piece on that is left', () => {
  const { pieces, work, offers } = piecesOf({ leastMs: 4, left: [4, 6] })
  expect(pieces.next()).toBe(0)
  work(0.5)
  expect(pieces.next()).toBe(1)
  work(0.5)
  // Of 0.5 ms each, six are left.
  expect([pieces.next(), offers.length]).toEqual([2, 0])
  work(3)
  expect(pieces.next()).toBe(4)
  expect(offers).toMatchObject([{ nextPiece: 3, pieceCount: PIECES, pass: 0 }])
  work(50)
  expect([pieces.next(), offers.length]).toEqual([6, 1])
})

test('others are asked after a short piece of work where much is left', () => {
  const { pieces, work, offers } = piecesOf({ leastMs: 4 })
  pieces.next()
  work(0.01)
  pieces.next()
  work(0.9)
  pieces.next()
  expect(offers).toMatchObject([{ nextPiece: 2 }])
})

test('a short first piece alone asks nobody: it may have what was never compiled', () => {
  const { pieces, work, offers } = piecesOf({ leastMs: 2, left: [2] })
  pieces.next()
  work(3)
  expect([pieces.next(), offers.length]).toEqual([1, 0])
  work(1)
  expect(pieces.next()).toBe(2)
  expect(offers).toMatchObject([{ nextPiece: 2, leftMs: 6 }])
})

test('what is measured tells the time of a piece from what was spent before', () => {
  const told: PiecesSoFar[] = []
  const isWorthSharing = (soFar: PiecesSoFar): boolean => {
    told.push(soFar)
    return false
  }
  const { pieces, work } = piecesOf({ leastMs: 1, isWorthSharing })
  work(20)
  pieces.next()
  work(12)
  pieces.next()
  work(2)
  pieces.next()
  work(4)
  pieces.next()
  expect(told).toEqual([
    { pieces: 1, workedMs: 32, pieceMs: 12, beginMs: 20, leftMs: 84 },
    { pieces: 2, workedMs: 34, pieceMs: 2, beginMs: 30, leftMs: 12 },
    { pieces: 3, workedMs: 38, pieceMs: 3, beginMs: 29, leftMs: 15 },
  ])
})

test('pieces that others have begun and not given are done here, and those given are not', () => {
  const given = [
    { pieces: [1, 2], part, workedMs: 3 },
    { pieces: [3, 5], part: undefined, workedMs: 1 },
  ]
  const { pieces, taken } = piecesOf({ leastMs: 0, left: [0, 4], given })
  expect(allOf(pieces)).toEqual([0, 4, 3, 5, 6, 7])
  expect(taken).toEqual([1, 2])
})

test('a part that is of no use is done here', () => {
  const given = [{ pieces: [1, 2, 3, 4, 5, 6, 7], part, workedMs: 3 }]
  const { pieces, taken } = piecesOf({ leastMs: 0, left: [0], given, isOfUse: false })
  expect(allOf(pieces)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(taken).toEqual([])
})

test('who has begun is waited for', () => {
  let isWaiting = true
  const given: GivenPart[] = []
  const { pieces } = piecesOf({ leastMs: 0, left: [0], given, isWaiting: () => isWaiting })
  expect([pieces.next(), pieces.next(), pieces.next()]).toEqual([0, 'later', 'later'])
  given.push({ pieces: [1, 2, 3, 4, 5, 6], part, workedMs: 1 })
  isWaiting = false
  expect(allOf(pieces)).toEqual([7])
})

test('others that are asked ahead begin before the first piece is looked at here, and nobody is asked again', () => {
  const { pieces, work, offers } = piecesOf({ leastMs: 4, left: [2, 3] })
  pieces.askAhead(15)
  expect(offers).toMatchObject([{ nextPiece: 0, pieceCount: PIECES, leftMs: 15 }])
  expect(pieces.next()).toBe(2)
  work(50)
  expect([pieces.next(), offers.length]).toEqual([3, 1])
})

test('work that others were asked for ahead is done here once it turns out not to be for them', () => {
  let isShareable = true
  const given = [{ pieces: [1, 2], part, workedMs: 1 }]
  const { pieces, work, offers, taken, ended } = piecesOf({
    leastMs: 4,
    left: [0, 3],
    given,
    isShareable: () => isShareable,
  })
  pieces.askAhead(15)
  expect([pieces.next(), ended()]).toEqual([0, 0])
  isShareable = false
  work(50)
  expect([pieces.next(), ended()]).toEqual([1, 1])
  isShareable = true
  expect(allOf(pieces)).toEqual([2, 3, 4, 5, 6, 7])
  expect([taken, offers.length]).toEqual([[], 1])
})

test('another pass has all pieces again, and asks nobody who did not help before', () => {
  const { pieces, work, offers } = piecesOf({ leastMs: 4, isWorthSharing: () => false })
  allOf(pieces)
  pieces.begin(1, undefined)
  work(100)
  expect(allOf(pieces)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(offers).toEqual([])
})

test('a join is left to one thread where reading the right side again costs more than a third of the rest', () => {
  const soFar: PiecesSoFar = { pieces: 2, workedMs: 30, pieceMs: 5, beginMs: 20, leftMs: 60 }
  expect(isRestLong(soFar, 1)).toBe(true)
  expect(isRestLong(soFar, 2)).toBe(false)
  expect(isRestLong({ ...soFar, leftMs: 59 }, 1)).toBe(false)
  // What the first piece took may have been compiling.
  expect(isRestLong({ ...soFar, pieces: 1 }, 1)).toBe(false)
})

test('others are asked for a join ahead where its left side is long and has many times the rows of the right one', () => {
  const helpers = { count: 1, leastMs: 1.5 }
  expect(aheadMs({ leftRows: 800_000, rightRows: 100_000 }, helpers)).toBeCloseTo(12)
  expect(aheadMs({ leftRows: 800_000, rightRows: 100_001 }, helpers)).toBeUndefined()
  expect(aheadMs({ leftRows: 800_000, rightRows: 100_000 }, { ...helpers, count: 2 })).toBeUndefined()
  expect(aheadMs({ leftRows: 100_000, rightRows: 10 }, helpers)).toBeUndefined()
  expect(aheadMs({ leftRows: 800_000, rightRows: 100_000 }, undefined)).toBeUndefined()
})
