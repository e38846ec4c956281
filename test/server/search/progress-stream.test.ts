import { expect, test } from 'vitest'
import { ProgressStream, progressMessage, settlesWithin } from '../../../src/server/search/progress-stream.ts'
import type { StreamBody } from '../../../src/workers/index.ts'

/** A request body whose chunks arrive when the test releases them. */
class Released implements StreamBody {
  failure: unknown
  wasCancelled = false
  readonly #pieces: (Promise<string | undefined> | undefined)[]

  constructor(...pieces: readonly (Promise<string | undefined> | string)[]) {
    this.#pieces = pieces.map((piece) => Promise.resolve(piece))
  }

  next(): Promise<string | undefined> {
    return this.#pieces.shift() ?? Promise.resolve(undefined)
  }

  cancel(): void {
    this.wasCancelled = true
  }
}

test('while no row comes there is progress, and the row follows', async () => {
  const slow = Promise.withResolvers<string>()
  const stream = new ProgressStream(new Released('a', slow.promise), () => 'p', 0)
  expect([await stream.next(), await stream.next(), await stream.next()]).toEqual(['a', 'p', 'p'])
  slow.resolve('b')
  const pieces: unknown[] = []
  for (let piece = await stream.next(); piece !== undefined; piece = await stream.next()) pieces.push(piece)
  expect(pieces.filter((piece) => piece !== 'p')).toEqual(['b'])
})

test('while rows come fast there is progress between them, never twice', async () => {
  const stream = new ProgressStream(new Released('a', 'b', 'c'), () => 'p', 0)
  const pieces: unknown[] = []
  for (let piece = await stream.next(); piece !== undefined; piece = await stream.next()) pieces.push(piece)
  expect(pieces.filter((piece) => piece !== 'p')).toEqual(['a', 'b', 'c'])
  expect(pieces.join('')).not.toContain('pp')
  expect(pieces).toContain('p')
})

test('before its time there is none', async () => {
  const stream = new ProgressStream(new Released('a', 'b'), () => 'p', 1_000_000)
  expect([await stream.next(), await stream.next(), await stream.next()]).toEqual(['a', 'b', undefined])
})

test('errors and the end of the reader are passed on', async () => {
  const failing = new Released(Promise.reject(new Error('broken')))
  await expect(new ProgressStream(failing, () => 'p', 1_000_000).next()).rejects.toThrow('broken')
  const body = new Released('a')
  new ProgressStream(body, () => 'p', 0).cancel()
  expect(body.wasCancelled).toBe(true)
})

test('a message has whole milliseconds', () => {
  const statistics = { scannedRows: 5, bytes: 0, bytesFromDisk: 3, bytesFromCache: 4, milliseconds: 1.6 } as Parameters<
    typeof progressMessage
  >[0]
  expect(progressMessage(statistics)).toBe('event: progress\ndata: {"rowsRead":5,"bytesRead":7,"milliseconds":2}\n\n')
})

test('a rejection settles too', async () => {
  expect(await settlesWithin(Promise.reject(new Error('x')), 1_000_000)).toBe(true)
  expect(await settlesWithin(new Promise(() => undefined), 0)).toBe(false)
})
