import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { writerOf } from '../../src/cli/process-terminal.ts'
import { runOn } from './terminal.ts'

/** Returns a stream that accepts nothing until `take` is called. */
function slowStream(): { readonly stream: Writable; readonly take: () => void } {
  const held: (() => void)[] = []
  const stream = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => void held.push(done) })
  return { stream, take: () => held.shift()?.() }
}

test('writes that wait for a slow reader share one listener', async () => {
  const { stream, take } = slowStream()
  const write = writerOf(stream)
  const before = stream.listenerCount('drain') + stream.listenerCount('error')
  const writes = Array.from({ length: 100 }, () => write('x'))
  expect(stream.listenerCount('drain') + stream.listenerCount('error')).toBe(before)
  const settled = Promise.all(writes)
  for (let i = 0; i < 100; i++) {
    take()
    await new Promise(setImmediate)
  }
  await expect(settled).resolves.toHaveLength(100)
})

test('waiting and later writes reject once the reader is gone', async () => {
  const { stream } = slowStream()
  const write = writerOf(stream)
  const writes = Promise.allSettled([write('x'), write('y')])
  stream.destroy(Object.assign(new Error('gone'), { code: 'EPIPE' }))
  expect((await writes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(write('z')).rejects.toThrow('gone')
})

test('help whose reader has gone is no failure', async () => {
  const { stream } = slowStream()
  const ended = runOn({ write: writerOf(stream) }, '--help')
  await new Promise(setImmediate)
  stream.destroy(Object.assign(new Error('gone'), { code: 'EPIPE' }))
  // Vitest reports an unhandled rejection as an error of the run.
  expect((await ended).code).toBe(0)
  await new Promise(setImmediate)
})
