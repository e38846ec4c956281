import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { descriptionLine, exemplarsLine, metricLines } from '../../src/ingest/metrics/index.ts'
import { Labels } from '../../src/data/index.ts'
import { EVERYTHING, manyKinds } from '../store/sample-files/file-of.ts'
import { run } from './terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-samples-'))
const lines = join(folder, 'samples.ndjson')
const data = join(folder, 'data')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('samples, their exemplars and descriptions are exported as they were imported', async () => {
  let text = ''
  let count = 0
  for (const { labels, ...samples } of manyKinds(300).reader.select(EVERYTHING)) {
    count += samples.timesMs.length
    for (const line of metricLines(labels, samples)) text += line
  }
  text += exemplarsLine(Labels.of({ __name__: 'size' }), [
    { timeMs: 3, value: -0, labels: Labels.of({ trace_id: 'a' }) },
  ])
  text += descriptionLine({ name: 'size', type: 'histogram', help: 'of answers', unit: 'bytes' })
  writeFileSync(lines, text)
  expect(await run('import', '--kind', 'samples', '--data', data, lines)).toMatchObject({
    code: 0,
    out: `${count} samples stored in ${data}.\n`,
  })
  for (const name of ['again.ndjson', 'again.ndjson.zst']) {
    const again = join(folder, name)
    const exported = await run('export', '*', '--data', data, '--format', 'series', '--output', again)
    expect(exported).toMatchObject({ code: 0 })
    const other = join(folder, `${name}.data`)
    expect((await run('import', '--kind', 'samples', '--data', other, again)).code).toBe(0)
    const last = join(folder, `${name}.last.ndjson`)
    await run('export', '*', '--data', other, '--format', 'series', '--output', last)
    expect(readFileSync(last, 'utf8')).toBe(text)
  }
})

test('a selector and a range choose what is exported', async () => {
  const some = join(folder, 'some.ndjson')
  const choice = ['--from', '1970-01-01T00:00:01Z', '--to', '1970-01-01T00:00:03Z']
  await run('export', 'size', '--data', data, '--format', 'series', ...choice, '--output', some)
  const [line = '{}'] = readFileSync(some, 'utf8').split('\n')
  expect(JSON.parse(line)).toMatchObject({ metric: { __name__: 'size' }, timestamps: [1000, 2000] })
})

test('samples that cannot be exported or imported are reported', async () => {
  const to = join(folder, 'none.ndjson')
  const series = ['--format', 'series', '--output', to]
  expect((await run('export', 'up', lines, ...series)).error).toContain('name its folder by --data')
  expect((await run('export', 'rate(up[5m])', '--data', data, ...series)).error).toContain('rate(up[5m])')
  const rows = join(folder, 'rows.ndjson')
  writeFileSync(rows, '{"__name__":"up","_time":"2026-01-01T00:00:00Z","value":1}\n')
  const refused = await run('import', '--kind', 'samples', '--data', join(folder, 'no'), rows)
  expect(refused.code).toBe(1)
  expect(refused.error).toContain('`metric` must be an object of labels')
  writeFileSync(join(folder, 'a.parquet'), '')
  const parquet = await run('import', '--kind', 'samples', '--data', join(folder, 'no'), join(folder, 'a.parquet'))
  expect(parquet.error).toContain('export --format series')
})
