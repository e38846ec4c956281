import { compareLabels, type Labels } from '../../../data/index.ts'
import {
  mergeable,
  mergedParts,
  type SamplesToWrite,
  type SeriesToWrite,
  type StoredSource,
} from '../../sample-files/index.ts'
import { MAX_EXEMPLARS, type MetricDescription, type SamplesPart } from '../../samples/index.ts'
import { samplesIn, type NamedFile, type ReadableFile } from './named-samples.ts'

/** Files of this level, from 67 M samples, are not merged. */
const MERGE_LEVELS = 5

/** Returns the first files, in order, that should be merged into one; empty if there are none. */
export function mergeableSamples(files: readonly NamedFile[]): readonly ReadableFile[] {
  const samplesOf = ({ source, entry }: NamedFile): number | undefined => source && samplesIn(entry).rowCount
  return mergeable(files, samplesOf, MERGE_LEVELS).filter((file): file is ReadableFile => file.source !== undefined)
}

/** Returns the merged content of consecutive files, to be written to a new file. */
export function mergedSamples(sources: readonly StoredSource[]): SamplesToWrite {
  return {
    series: mergedSeries(sources),
    descriptions: distinct(sources.flatMap(({ file }) => file.descriptions())),
    exemplars: sources.flatMap(({ file }) => file.exemplars()).slice(-MAX_EXEMPLARS),
  }
}

function* mergedSeries(sources: readonly StoredSource[]): Generator<SeriesToWrite> {
  const all = new Map<string, { readonly labels: Labels; readonly parts: SamplesPart[] }>()
  for (const source of sources)
    for (const [index, labels] of source.labels.entries()) {
      const part = source.part(index)
      if (part === undefined) continue
      const known = all.get(labels.key)
      if (known === undefined) all.set(labels.key, { labels, parts: [part] })
      else known.parts.push(part)
    }
  for (const { labels, parts } of [...all.values()].sort((a, b) => compareLabels(a.labels, b.labels)))
    yield { labels, samples: mergedParts(parts) }
}

function distinct(descriptions: readonly MetricDescription[]): readonly MetricDescription[] {
  const byText = new Map<string, MetricDescription>()
  for (const each of descriptions) byText.set(JSON.stringify([each.name, each.type, each.help, each.unit]), each)
  return [...byText.values()]
}
