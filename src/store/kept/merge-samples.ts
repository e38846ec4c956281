import { compareLabels, type Labels } from '../../data/index.ts'
import type { SamplesToWrite, SeriesToWrite, StoredSource } from '../sample-files/index.ts'
import { mergedSlices, type MetricDescription, type SamplesPart } from '../samples/index.ts'
import type { NamedFile, ReadableFile } from './named-samples.ts'

/** Exemplars that are held: those of older files are not read. */
export const EXEMPLARS = 100_000
/** Files that follow each other and are of no higher level become one. */
const MERGE_FILES = 4
/** A file of a level has four times as many samples as one below; larger ones are left. */
const LEVEL_SAMPLES = 262_144
const MERGE_LEVELS = 5

function levelOf({ entry }: NamedFile): number {
  let level = 0
  for (let samples = LEVEL_SAMPLES; entry.rowCount >= samples; samples *= 4) level++
  return level
}

/** The first files, by order, that are to become one. */
export function mergeableSamples(files: readonly NamedFile[]): readonly ReadableFile[] {
  for (let level = 0; level < MERGE_LEVELS; level++) {
    let run: ReadableFile[] = []
    for (const file of files) {
      const { source } = file
      if (source === undefined || levelOf(file) > level) run = []
      else run.push({ ...file, source })
      if (run.length === MERGE_FILES) return run
    }
  }
  return []
}

/** What files that follow each other have, as one. */
export function mergedSamples(sources: readonly StoredSource[]): SamplesToWrite {
  return {
    series: mergedSeries(sources),
    descriptions: distinct(sources.flatMap(({ file }) => file.descriptions())),
    exemplars: sources.flatMap(({ file }) => file.exemplars()).slice(-EXEMPLARS),
  }
}

function* mergedSeries(sources: readonly StoredSource[]): Generator<SeriesToWrite> {
  const all = new Map<string, { readonly labels: Labels; readonly parts: SamplesPart[] }>()
  for (const source of sources)
    for (const [place, labels] of source.labels.entries()) {
      const part = source.part(place)
      if (part === undefined) continue
      const known = all.get(labels.key)
      if (known === undefined) all.set(labels.key, { labels, parts: [part] })
      else known.parts.push(part)
    }
  for (const { labels, parts } of [...all.values()].sort((a, b) => compareLabels(a.labels, b.labels))) {
    const slices = parts.flatMap((part) => part.slice(-Infinity, Infinity) ?? [])
    yield { labels, samples: slices.length === 0 ? undefined : mergedSlices(slices) }
  }
}

function distinct(descriptions: readonly MetricDescription[]): readonly MetricDescription[] {
  const byText = new Map<string, MetricDescription>()
  for (const each of descriptions) byText.set(JSON.stringify([each.name, each.type, each.help, each.unit]), each)
  return [...byText.values()]
}
