import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { present } from '../../../src/base/index.ts'
import { Labels } from '../../../src/data/index.ts'
import { SAMPLES_VERSION, SampleFile } from '../../../src/store/sample-files/index.ts'
import { BlockCache } from '../../../src/store/segments/index.ts'
import { isUpdatingGolden } from '../../harness/golden.ts'
import { linesOf, manyKinds, samplesFile, seriesOf, sourceOf } from './file-of.ts'

/** Files as releases wrote them. Those of a version that is out stay as they are; a new version adds its own. */
const folder = join(import.meta.dirname, 'fixtures')
const versionFolders = (): readonly string[] => readdirSync(folder)

const labels = Labels.of({ __name__: 'kind_0', pod: 'p1' })
const exemplar = { labels: Labels.of({ trace_id: 'a' }), value: 1.5, timeMs: 7 }
const descriptions = [{ name: 'kind_0', type: 'counter', help: 'requests', unit: '' }]

test.runIf(isUpdatingGolden)('a folder for the newest version, where there is none', () => {
  const newest = join(folder, `version-${SAMPLES_VERSION}`)
  mkdirSync(folder, { recursive: true })
  if (versionFolders().includes(`version-${SAMPLES_VERSION}`)) return
  mkdirSync(newest)
  const series = seriesOf(manyKinds(40))
  const exemplars = [{ labels, exemplars: [exemplar] }]
  writeFileSync(join(newest, 'samples'), samplesFile({ series, descriptions, exemplars }).file)
  const expected = series.map((each) => [String(each.labels), linesOf(present(each.samples))])
  writeFileSync(join(newest, 'rows.json'), `${JSON.stringify(expected, undefined, 1)}\n`)
})

test('there is one of the newest version', () => {
  expect(versionFolders()).toContain(`version-${SAMPLES_VERSION}`)
})

test.each(versionFolders())('the file of %s is read', (version) => {
  const read = new SampleFile(sourceOf(readFileSync(join(folder, version, 'samples'))), new BlockCache(1 << 20))
  const rows: unknown = JSON.parse(readFileSync(join(folder, version, 'rows.json'), 'utf8'))
  const found = read.labels.flatMap((each, place) => {
    const samples = read.part(place)?.slice(-Infinity, Infinity)
    return samples === undefined ? [] : [[String(each), linesOf(samples)]]
  })
  expect(found).toEqual(rows)
  expect(read.descriptions()).toEqual(descriptions)
  expect(read.exemplars()).toHaveLength(1)
})
