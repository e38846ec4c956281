import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainBytes } from '../../src/base/bytes.ts'
import { nextTurn } from '../../src/base/index.ts'

const bytes = fc.uint8Array({ maxLength: 40 })
const text = fc.string({ unit: 'binary', maxLength: 30 })

/** String readers of Node's buffers that its type declarations omit. */
interface Slices {
  latin1Slice(start: number, end: number): string
  utf8Slice(start: number, end: number): string
}

test('the stand-in does what the buffers of Node do', () => {
  fc.assert(
    fc.property(bytes, bytes, text, fc.nat(40), fc.nat(40), (one, two, written, a, b) => {
      const [start, end] = [Math.min(a, b, one.length), Math.min(Math.max(a, b), one.length)]
      const [mine, theirs] = [plainBytes.from(one), Buffer.from(one)]
      const [mySlices, theirSlices] = [mine, theirs] as unknown as readonly [Slices, Slices]
      expect(mySlices.latin1Slice(start, end)).toBe(theirSlices.latin1Slice(start, end))
      expect(mySlices.utf8Slice(start, end)).toBe(theirSlices.utf8Slice(start, end))
      expect(mine.compare(two, 0, two.length, start, end)).toBe(theirs.compare(two, 0, two.length, start, end))
      expect(mine.indexOf(two[0] ?? 0, start)).toBe(theirs.indexOf(two[0] ?? 0, start))
      const [myCopy, theirCopy] = [plainBytes.from(two), Buffer.from(two)]
      expect(mine.copy(myCopy, Math.min(1, two.length), start, end)).toBe(
        theirs.copy(theirCopy, Math.min(1, two.length), start, end),
      )
      expect([...myCopy]).toEqual([...theirCopy])
      expect([...mine.subarray(start, end)]).toEqual([...theirs.subarray(start, end)])
      expect([...plainBytes.from(written)]).toEqual([...Buffer.from(written)])
      expect([...plainBytes.from(written, 'latin1')]).toEqual([...Buffer.from(written, 'latin1')])
      expect(plainBytes.concat([one, two]).join()).toBe(Buffer.concat([one, two]).join())
    }),
  )
})

test('the stand-in decodes each byte as one character of Latin-1, in long texts too', () => {
  const all = Uint8Array.from({ length: 20_000 }, (_, i) => i % 256)
  const ascii = all.map((byte) => byte % 128)
  for (const given of [all, ascii, all.subarray(0, 128)]) {
    const mine = plainBytes.from(given) as unknown as Slices
    expect(mine.latin1Slice(0, given.length)).toBe(Buffer.from(given).toString('latin1'))
  }
})

test('a stand-in over memory shares it, over items copies them', () => {
  const memory = new SharedArrayBuffer(8)
  const view = plainBytes.from(memory, 2, 4)
  view.set([104, 105])
  expect((view as unknown as Slices).utf8Slice(0, 2)).toBe('hi')
  expect([...new Uint8Array(memory)].slice(0, 4)).toEqual([0, 0, 104, 105])
  expect(plainBytes.from(view).buffer).not.toBe(memory)
})

test('a turn lets timers and messages run', async () => {
  let ran = false
  setImmediate(() => {
    ran = true
  })
  await nextTurn()
  expect(ran).toBe(true)
})
