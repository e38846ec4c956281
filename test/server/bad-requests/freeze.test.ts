// @module-tag slow
import { expect, test } from 'vitest'
import { processorMs } from '../../harness/processor-time.ts'
import { inYardsticks, yardstick } from '../../harness/yardstick.ts'
import type { Operation } from './operations.ts'
import { isFreeze, runMatrix } from './run.ts'

const quiet = { processorMs: 30, wallMs: 30 }
/** A machine a tenth as fast. */
const slow = { processorMs: 300, wallMs: 300 }
/** A machine on which others have nine parts in ten of the processor. */
const busy = { processorMs: 30, wallMs: 300 }

test.each([
  ['ten seconds of work', { processorMs: 10_000, wallMs: 10_000 }, quiet, true],
  ['ten seconds of waiting for nothing', { processorMs: 5, wallMs: 10_000 }, quiet, true],
  ['ten seconds of work on a busy machine', { processorMs: 10_000, wallMs: 100_000 }, busy, true],
  ['a hundred seconds of work on a slow machine', { processorMs: 100_000, wallMs: 100_000 }, slow, true],
  ['half a second', { processorMs: 500, wallMs: 500 }, quiet, false],
  ['as much on a slow machine', { processorMs: 5000, wallMs: 5000 }, slow, false],
  ['as much on a busy machine', { processorMs: 500, wallMs: 5000 }, busy, false],
])('%s', (_, spent, beside, wanted) => {
  expect(isFreeze(spent, beside)).toBe(wanted)
})

test('the yardstick is one of itself', () => {
  expect(inYardsticks(yardstick().processorMs)).toBe(1)
})

test('an answer behind a frozen thread is found, a quick one is not', async () => {
  const beside = { processorMs: 5, wallMs: 50 }
  const freezeMs = 80 * beside.processorMs
  const operation: Operation = {
    name: 'GET /',
    method: 'GET',
    path: '/',
    template: '/',
    takes: 'nothing',
    isGuarded: false,
    parameters: [],
  }
  const classes = [{ name: 'any', of: () => [{ name: 'quick' }, { name: 'frozen', path: '/frozen' }] }]
  const message = { message: 'no', code: 'a/b', type: 'x', details: {}, trace_id: 'id' }
  const app = {
    fetch: ({ url }: Request) => {
      const startedMs = processorMs()
      if (url.endsWith('frozen')) while (processorMs() - startedMs < freezeMs);
      return Promise.resolve(Response.json(message, { status: 400, headers: { 'X-Request-Id': 'id' } }))
    },
  }
  const { faults } = await runMatrix(app, [operation], classes, () => beside)
  expect(faults).toEqual([expect.stringMatching(/^any · GET \/ · "frozen": took \d+ ms of the processor/)])
})
