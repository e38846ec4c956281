import { expect, test } from 'vitest'
import { nowhere } from '../../../src/base/index.ts'
import { HttpFault, type IngestService } from '../../../src/server/index.ts'
import { fault } from '../../../src/server/errors/http-fault.ts'
import { tellingOfSpace } from '../../../src/server/ingest/intake-stops.ts'
import { watchedIntake } from '../../../src/server/ingest/intake-watch.ts'
import { durableDiagnostic } from '../../../src/store/durable/index.ts'
import type { Logged } from '../harness/harness.ts'

test('the log says when the disk has no room, once a minute, and when it has again', async () => {
  const logged: Logged[] = []
  let nowMs = 0
  let isFull = true
  const log = {
    info: () => undefined,
    error: (fields: Logged['fields'], message: string) => logged.push({ level: 'error', fields, message }),
  }
  const full = new HttpFault(507, [durableDiagnostic('disk-reserve', {}, nowhere)])
  const other = new HttpFault(400, [durableDiagnostic('disk-full', {}, nowhere)])
  const given: IngestService = {
    ingest: ({ table }) => (isFull ? Promise.reject(table === 'bad' ? other : full) : Promise.resolve({} as never)),
  }
  const service = watchedIntake(given, tellingOfSpace(log, { nowMs: () => nowMs }))
  const send = (table = 'logs'): Promise<unknown> =>
    service.ingest({ backend: undefined, table, body: {} as never }).catch((error: unknown) => error)
  expect(await send('bad')).toBe(other)
  expect(logged).toEqual([])
  for (const ms of [0, 1, 59_999, 60_000, 60_001]) {
    nowMs = ms
    expect(await send()).toBe(full)
  }
  isFull = false
  await send()
  await send()
  const reasons = [full.diagnostics[0]!.message, ...full.diagnostics[0]!.notes]
  expect(logged).toEqual([
    {
      level: 'error',
      fields: { reasons, refused: 1 },
      message: 'the disk has no room: data that are sent are refused',
    },
    {
      level: 'error',
      fields: { reasons, refused: 4 },
      message: 'the disk has no room: data that are sent are refused',
    },
    { level: 'error', fields: { refused: 5 }, message: 'the disk has room again: data are taken in' },
  ])
  expect(reasons.join(' ')).toMatch(/reserve.*--disk-reserve/)
})

test('it also says that the memory for rows stays full, but nothing of what passes by itself', async () => {
  const logged: string[] = []
  const log = { info: () => undefined, error: (_: unknown, message: string) => logged.push(message) }
  const errors = [
    fault('busy', { reason: 'its memory is full until rows are written to segments' }),
    fault('memory-full', { staysBytes: 1, limitBytes: 2 }),
  ]
  const given: IngestService = {
    ingest: () => {
      const error = errors.shift()
      return error === undefined ? Promise.resolve({} as never) : Promise.reject(error)
    },
  }
  const service = watchedIntake(given, tellingOfSpace(log, { nowMs: () => 0 }))
  const send = (): Promise<unknown> =>
    service.ingest({ backend: undefined, table: 'logs', body: {} as never }).catch(() => undefined)
  for (let i = 0; i < 3; i++) await send()
  expect(logged).toEqual([
    'the memory for rows has no room: data that are sent are refused',
    'the memory for rows has room again: data are taken in',
  ])
})
