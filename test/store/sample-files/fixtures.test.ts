import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { present } from '../../../src/base/index.ts'
import { Labels } from '../../../src/data/index.ts'
import { SampleFile } from '../../../src/store/sample-files/index.ts'
import { BlockCache } from '../../../src/store/segments/index.ts'
import { isUpdatingGolden } from '../../harness/golden.ts'
import { linesOf, manyKinds, samplesFile, seriesOf, sourceOf } from './file-of.ts'

/** The folder has a file written by an earlier version of the code, so that a format change is noticed. */
const folder = join(import.meta.dirname, 'fixtures')

const labels = Labels.of({ __name__: 'kind_0', pod: 'p1' })
const exemplar = { labels: Labels.of({ trace_id: 'a' }), value: 1.5, timeMs: 7 }
const descriptions = [{ name: 'kind_0', type: 'counter', help: 'requests', unit: '' }]

test.runIf(isUpdatingGolden)('the file is written where there is none', () => {
  if (existsSync(folder)) return
  mkdirSync(folder)
  const series = seriesOf(manyKinds(40))
  const exemplars = [{ labels, exemplars: [exemplar] }]
  writeFileSync(join(folder, 'samples'), samplesFile({ series, descriptions, exemplars }).file)
  const expected = series.map((each) => [String(each.labels), linesOf(present(each.samples))])
  writeFileSync(join(folder, 'rows.json'), `${JSON.stringify(expected, undefined, 1)}\n`)
})

test('a file of the format is read', () => {
  const read = new SampleFile(sourceOf(readFileSync(join(folder, 'samples'))), new BlockCache(1 << 20))
  const rows: unknown = JSON.parse(readFileSync(join(folder, 'rows.json'), 'utf8'))
  const found = read.labels.flatMap((each, place) => {
    const samples = read.part(place)?.slice(-Infinity, Infinity)
    return samples === undefined ? [] : [[String(each), linesOf(samples)]]
  })
  expect(found).toEqual(rows)
  expect(read.descriptions()).toEqual(descriptions)
  expect(read.exemplars()).toHaveLength(1)
})
