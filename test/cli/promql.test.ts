import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { run } from './terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-promql-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const exposition = [0, 1, 2, 3, 4]
  .flatMap((i) => [`hits_total{code="200"} ${i * 30} ${i * 30_000}`, `hits_total{code="500"} ${i} ${i * 30_000}`])
  .join('\n')
const text = file('hits.prom', `# TYPE hits_total counter\n${exposition}\n`)

function lines(out: string): readonly string[] {
  return out.split('\n').map((line) => line.trimEnd())
}

describe('promql', () => {
  test('the newest sample is the default time', async () => {
    const { code, out } = await run('promql', 'hits_total', text, '--format', 'table')
    expect(lines(out)).toEqual([
      '__name__    code  value',
      '----------  ----  -----',
      'hits_total  200     120',
      'hits_total  500       4',
      '(2 rows)',
      '',
    ])
    expect(code).toBe(0)
  })

  test('a time, a range, JSON', async () => {
    const at = await run('promql', 'sum(hits_total)', text, '--time', '1970-01-01T00:01:00Z')
    expect(JSON.parse(at.out)).toMatchObject({ data: { result: [{ value: [60, '62'] }] } })
    const range = ['--from', '1970-01-01T00:01:00Z', '--step', '30s']
    const over = await run('promql', 'rate(hits_total{code="200"}[1m])', text, ...range)
    expect(JSON.parse(over.out)).toMatchObject({
      data: {
        resultType: 'matrix',
        result: [
          {
            metric: { code: '200' },
            values: [
              [60, '1'],
              [90, '1'],
              [120, '1'],
            ],
          },
        ],
      },
    })
    const shown = await run('promql', 'max(hits_total)', text, ...range, '--format', 'table')
    expect(lines(shown.out).slice(0, 3)).toEqual([
      '_time                           value',
      '------------------------------  -----',
      '1970-01-01T00:01:00.000000000Z     60',
    ])
  })

  test('JSON lines in each form, OpenMetrics, packed', async () => {
    const json = file(
      'samples.jsonl',
      [
        '{"metric":{"__name__":"a"},"value":[10,"1.5"]}',
        '{"metric":{"__name__":"b"},"values":[[10,"+Inf"],[5,"1"]]}',
        '{"metric":{"__name__":"c"},"values":[3,null],"timestamps":[9000,10000]}',
        '{"metric":{"__name__":"d"}}',
        '{"metric":{"__name__":7},"value":[10,"1"]}',
      ].join('\n'),
    )
    const { out, error } = await run('promql', '{__name__=~".+"}', json, '--time', '1970-01-01T00:00:10Z')
    const { data } = JSON.parse(out) as { data: { result: { metric: object; value: unknown }[] } }
    expect(data.result.map(({ metric, value }) => [Object.values(metric)[0], value])).toEqual([
      ['a', [10, '1.5']],
      ['b', [10, '+Inf']],
      ['c', [10, 'NaN']],
    ])
    expect(error).toBe(`${json}: 2 lines left out; line 4: there is neither \`value\` nor \`values\`\n`)
    const open = file('open.gz', new Uint8Array(gzipSync('x 4 10\n# EOF\n')))
    expect((await run('promql', 'x', open, '--quiet')).out).toContain('"value":[10,"4"]')
  })

  test('--explain prints the plan, --analyze also the measures', async () => {
    const explained = await run('promql', 'hits_total{code=~"200"} / 2', '--explain')
    expect(explained.out).toContain('select samples{__name__="hits_total", code="200"}  [columnar]')
    expect(explained.out).toContain('tidy-matchers, pass 1')
    const analyzed = await run('promql', 'sum(hits_total)', text, '--analyze')
    expect(analyzed.error).toMatch(/seriesMatched 2, samplesRead 10/)
    expect(analyzed.out).toContain('"124"')
  })

  test('errors of the query, the options and the file are reported', async () => {
    const bad = await run('promql', 'sum(hits_total', text)
    expect([bad.code, bad.out]).toEqual([1, ''])
    expect(bad.error).toContain('unclosed left parenthesis')
    expect((await run('promql', 'a', text, '--from', '1h', '--time', '1h')).code).toBe(2)
    expect((await run('promql', 'a', text, '--step', '1m')).code).toBe(2)
    expect((await run('promql', 'a', text, '--from', '1970-01-01', '--step', 'soon')).code).toBe(2)
    expect((await run('promql', 'a', text, '--format', 'csv')).code).toBe(2)
    expect((await run('promql', 'a', join(folder, 'none'))).code).toBe(2)
    const many = await run('promql', 'a', text, '--from', '1970-01-01', '--to', '1970-02-01', '--step', '1s')
    expect([many.code, many.error]).toEqual([1, expect.stringContaining('11,000')])
  })

  test('notes are printed in addition to the answer', async () => {
    const { error } = await run(
      'promql',
      'rate({code="200"}[1m]) or sort(hits_total)',
      text,
      '--from',
      '1970-01-01T00:01:00Z',
    )
    expect(error).toContain('sort is ineffective')
  })
})
