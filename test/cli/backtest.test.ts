import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DocumentBody } from '../../src/resources/index.ts'
import { actor, openStore } from '../resources/stores.ts'
import { run, runOn } from './terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-backtest-'))
const data = join(folder, 'data')

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const EXPRESSION = 'level:error | stats by (workload) count() as n'

function monitor(title: string, expression = EXPRESSION): DocumentBody {
  return {
    title,
    evaluationInterval: { interval: '1m', pendingFor: '1m' },
    annotations: { summary: '{{ $value }}' },
    model: {
      queries: [{ name: 'q', dataType: 'logs', expression }],
      thresholds: [{ name: 't', inputName: 'q', operator: 'gt', values: [1] }],
    },
  }
}

// Ten errors of workload `a`, one every 20 s from 11:02:00 to 11:05:00.
const rows = Array.from({ length: 10 }, (_, i) => {
  const seconds = 120 + i * 20
  const time = `2026-03-10T11:${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}Z`
  return JSON.stringify({ _time: time, level: 'error', workload: 'a' })
})

beforeAll(async () => {
  expect((await run('import', '--data', data, file('rows.ndjson', `${rows.join('\n')}\n`))).code).toBe(0)
  const store = await openStore(data)
  await store.write(actor, (tx) => {
    tx.put('monitor', 'id-1', monitor('Errors'))
    tx.put('monitor', 'id-2', monitor('Twice'))
    tx.put('monitor', 'id-3', monitor('Twice'))
    tx.put('monitor', 'id-4', { title: 'Empty' })
  })
  await store.close()
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const backtest = (...args: readonly string[]) => run('monitors', 'backtest', '--data', data, ...args)

const REPORT = [
  'Errors: 60 rounds, one each 1m, from 2026-03-10T11:00:00Z to 2026-03-10T11:59:00Z',
  '2026-03-10T11:03:00Z  Normal -> Pending  {alertname="Errors", workload="a"}',
  '2026-03-10T11:04:00Z  Pending -> Alerting  {alertname="Errors", workload="a"}',
  '2026-03-10T11:06:00Z  Alerting -> Normal  {alertname="Errors", workload="a"}',
  'notifications: 2 (1 firing, 1 resolved)',
  'time in states: Normal 95.00 %, Pending 1.67 %, Alerting 3.33 %',
  '',
]

describe('monitors backtest', () => {
  test.each(['id-1', 'Errors'])('a stored monitor is found by its id or title: %s', async (name) => {
    const { code, out, error } = await backtest(name, '--since', '1h')
    expect({ code, error, out: out.split('\n') }).toEqual({ code: 0, error: '', out: REPORT })
  })

  test('an age counts back from the end of the range', async () => {
    const { out } = await backtest('Errors', '--since', '2m', '--until', '2026-03-10T11:05:00Z', '--format', 'json')
    expect(JSON.parse(out)).toEqual({
      title: 'Errors',
      interval: '1m',
      rounds: 2,
      first: '2026-03-10T11:03:00Z',
      last: '2026-03-10T11:04:00Z',
      transitions: [
        {
          at: '2026-03-10T11:03:00Z',
          from: 'Normal',
          to: 'Pending',
          reason: null,
          labels: { alertname: 'Errors', workload: 'a' },
        },
        {
          at: '2026-03-10T11:04:00Z',
          from: 'Pending',
          to: 'Alerting',
          reason: null,
          labels: { alertname: 'Errors', workload: 'a' },
        },
      ],
      omittedTransitions: 0,
      notifications: { receiver: { firing: 1, resolved: 0 } },
      errors: null,
      shares: { Pending: 0.5, Alerting: 0.5 },
    })
  })

  test('a definition in a file needs no stored monitor', async () => {
    const path = file('errors.yaml', JSON.stringify(monitor('Errors')))
    expect((await backtest('--file', path, '--since', '1h')).out.split('\n')).toEqual(REPORT)
  })

  test('notifications are counted for the receivers of a configuration, without its secrets', async () => {
    const path = file(
      'notify.yaml',
      'route: { receiver: hook, group_wait: 0s, group_interval: 1m }\n' +
        'receivers:\n- name: hook\n  webhook_configs: [{ url_file: missing }, { url: "https://example.com/" }]\n',
    )
    const { out } = await backtest('Errors', '--since', '1h', '--notify', path)
    expect(out).toContain('notifications: 4 (2 firing, 2 resolved)')
  })

  test('a mistake in a file is shown at its position', async () => {
    const path = file('wrong.yaml', JSON.stringify(monitor('Wrong', 'level:error | stast count() as n')))
    const { code, error } = await backtest('--file', path)
    expect(code).toBe(1)
    expect(error).toContain('wrong.yaml, model.queries[0].expression')
    expect(error).toContain('stast')
  })

  test.each([
    [['Nothing'], 'There is no monitor Nothing: the backend default has 4, such as Errors, Twice, Empty.'],
    [['Twice'], '2 monitors have the title Twice: name one by its id, such as id-2, id-3.'],
    [['Empty'], 'The monitor Empty has no query: add `model.queries`.'],
    [['Errors', '--until', '2026-01-02'], 'There are no logs from 2025-12-26T00:00:00Z until 2026-01-02T00:00:00Z'],
    [['Errors', '--since', '5s'], 'The range has 0 evaluations of this monitor. Give an earlier --since.'],
    [['Errors', '--since', '100y'], 'At most 1000000 are possible: give a later --since.'],
    [['Errors', '--since', '2027-01-01'], '--since must be before --until'],
    [[], 'Give either the id or title of a monitor, or --file with a definition.'],
  ])('%j is refused with a reason and advice', async (args, message) => {
    const { code, out, error } = await backtest(...args)
    expect({ out, code: code > 0 }).toEqual({ out: '', code: true })
    expect(error).toContain(message)
  })

  test('an interrupt ends the run', async () => {
    const signal = AbortSignal.abort()
    expect(await runOn({ signal }, 'monitors', 'backtest', '--data', data, 'Errors')).toEqual({
      code: 130,
      out: '',
      error: '',
    })
  })
})
