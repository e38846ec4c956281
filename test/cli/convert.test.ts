import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { run } from './terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-convert-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const body = { filters: { conditions: [{ key: 'level', filters: [{ op: 'match', value: 'error' }] }] }, limit: 5 }
const text = 'level:"error" | limit 5'

test('JSON becomes a text, from the command line and from a file', async () => {
  expect((await run('convert', JSON.stringify(body))).out).toBe(`${text}\n`)
  expect((await run('convert', file('body.json', JSON.stringify({ start: 'x', Pipeline: body })))).out).toBe(
    `${text}\n`,
  )
})

test('a text becomes JSON, and that JSON the same text', async () => {
  const { code, out } = await run('convert', file('query.txt', text))
  expect(code).toBe(0)
  expect(JSON.parse(out)).toEqual({
    filters: { operator: 'and', conditions: [{ key: 'level', filters: [{ op: 'match', value: 'error' }] }] },
    limit: 5,
  })
  expect((await run('convert', out)).out).toBe(`${text}\n`)
})

test('reports constructs that a pipeline cannot express, with a caret', async () => {
  const { code, out, error } = await run('convert', '--to', 'json', 'a:b | facets')
  expect([code, out]).toEqual([1, ''])
  expect(error).toContain('A pipeline cannot hold the pipe `facets`.')
  expect(error).toContain('      ^^^^^^')
})

test('times that count from now are fixed, with a warning', async () => {
  const { code, out, error } = await run('convert', '_time:5m')
  expect(code).toBe(0)
  // The test terminal's clock says noon.
  expect(out).toContain('2026-03-10T11:55:00.000000000Z')
  expect(error).toContain('json/fixed-time')
})

test('a text beyond what readers take is given, and this is reported', async () => {
  const steps = Array.from({ length: 70 }, (_, i) => ({
    alias: `x${i}`,
    math_operator: '+',
    args: [{ scalar: '1' }, { scalar: '2' }],
  }))
  const { code, out, error } = await run(
    'convert',
    JSON.stringify({ mathExpression: steps.map((step) => ({ ...step, keepExisting: true })) }),
  )
  expect([code, error]).toEqual([0, 'Not every reader takes this text: The query has more than 64 pipes.\n'])
  expect(out.match(/\| math/g)).toHaveLength(70)
})

test('members of a body besides its pipeline are reported', async () => {
  const both = await run('convert', JSON.stringify({ query: 'a', pipeline: { limit: 1 } }))
  expect([both.out, both.error]).toEqual([
    '* | limit 1\n',
    'What stands beside the pipeline is not part of it: query.\n',
  ])
  expect((await run('convert', JSON.stringify({ query: 'a' }))).code).toBe(2)
})

test.each([
  [['convert', 'missing.json'], 2, 'There is no file missing.json.'],
  [['convert', '--to', 'yaml', '*'], 2, '--to is one of json, text'],
  [['convert', '--to', 'json', '{}'], 2, 'This is a structured query already.'],
  [['convert', '--to', 'text', 'a:b'], 1, 'wire/not-json'],
  [['convert', '--table', 'nothing', '*'], 2, 'There is no table nothing.'],
  [['convert', '{"limit":"many"}'], 1, 'wire/wrong-type'],
])('%j', async (argv, code, message) => {
  const ran = await run(...argv)
  expect(ran.error).toContain(message)
  expect(ran.code).toBe(code)
})

test('LogQL becomes the log language, with notes on standard error', async () => {
  const { code, out, error } = await run('convert', '--from', 'logql', '{workload="pay"} |= "x" | json | status > 400')
  expect({ code, out }).toEqual({ code: 0, out: 'workload:=pay content:~x | unpack_json | filter status:>400\n' })
  expect(error).toContain('note: A row whose `status` is no number is left out')
  const refused = await run('convert', '--from', 'logql', '{workload="pay"} |> "x<_>"')
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.error).toContain('error[convert/no-counterpart]: The log language has no counterpart of `|>`.')
  expect(refused.error).toContain('--> query:1:18')
  expect((await run('convert', '--from', 'logql', '{workload=')).error).toContain('error[logql/unexpected]')
})

test('TraceQL becomes the log language over the table of spans', async () => {
  const { code, out, error } = await run('convert', '--from', 'traceql', '{ status = error && duration > 500ms }')
  expect({ code, out }).toEqual({ code: 0, out: 'status:=error duration_seconds:>0.5\n' })
  expect(error).toContain('note: Ask the table of spans: `sluice query --table spans`.')
  expect((await run('convert', '--from', 'traceql', '{} >> {}')).error).toContain('error[convert/no-counterpart]')
  expect(await run('convert', '--from', 'traceql', '--table', 'logs', '{}')).toMatchObject({ code: 2, out: '' })
})

test('PromQL is refused with a reason', async () => {
  const { code, out, error } = await run('convert', '--from', 'promql', 'sum(up)')
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(error).toContain('`sluice promql` answers PromQL itself')
  expect((await run('convert', '--from', 'promql', 'sum(up')).error).toContain('error[promql/')
})

test('another language has one form', async () => {
  expect(await run('convert', '--from', 'logql', '{a="b"}', '--to', 'json')).toMatchObject({ code: 2, out: '' })
  expect(await run('convert', '--from', 'sql', 'x')).toMatchObject({ code: 2, out: '' })
})
