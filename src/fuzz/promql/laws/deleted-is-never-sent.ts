import { runToEnd, type Random } from '../../../base/index.ts'
import { SampleStore, countChosen, isInRange, labelsTest, type SampleChoice } from '../../../store/index.ts'
import { StoredSource, contentWithout, findChosen } from '../../../store/sample-files/index.ts'
import { DATA_MS, labelNames, labelValues, type FuzzSample } from '../dataset.ts'
import { fileOf, filedStore, intoFile } from '../filed-store.ts'
import { packedStore, type PackedStore } from '../packed-store.ts'
import { firstDifference, isIdentical, runQuery, type SameValue } from '../run-query.ts'
import type { PromqlLaw } from './law.ts'

/**
 * Compares values without the counter-reset hints of histograms, which are recomputed when an earlier sample is
 * deleted.
 */
export const isSameButHints: SameValue = (a, b) =>
  typeof a === 'object' && typeof b === 'object'
    ? isIdentical({ ...a, hint: 'unknown' }, { ...b, hint: 'unknown' })
    : isIdentical(a, b)

export function choiceOf(random: Random): SampleChoice {
  const label = random.pick(labelNames)
  const op = random.pick(['=', '!=', '=~'] as const)
  const value = op === '=~' ? `${random.pick(labelValues)}|${random.pick(labelValues)}` : random.pick(labelValues)
  const startMs = random.below(4) === 0 ? -Infinity : random.below(DATA_MS)
  const endMs = random.below(4) === 0 ? Infinity : random.below(DATA_MS)
  return { matchers: [{ label, op, value }], startMs, endMs }
}

/** Deletes from files in the same way as a data folder. One of the files holds samples that were not packed before. */
function deleteFromFiles(store: SampleStore, choice: SampleChoice): number {
  intoFile(store, Infinity)
  const files = store.sources.all.filter((source) => source instanceof StoredSource)
  const { count, changes } = runToEnd(findChosen(files, choice))
  for (const source of files) {
    const change = changes.get(source)
    if (change === undefined) continue
    const { name, order } = source.stored
    const left = fileOf(contentWithout(source, choice, change), `${name} again`, order)
    store.sources.replace([source], left)
  }
  return count
}

/** Deletes from packed samples in memory, and sends the deletion to the replica. */
function deleteFromPacked(packed: PackedStore, choice: SampleChoice): number {
  const count = runToEnd(packed.packer.remove(choice))
  packed.tell()
  return count
}

/** After a deletion, queries answer as if the deleted samples had never been sent. */
export const deletedIsNeverSent: PromqlLaw = {
  name: 'deleted-is-never-sent',
  check: async ({ text, startMs, endMs, stepMs, samples, random }) => {
    const choice = choiceOf(random)
    const isChosen = labelsTest(choice.matchers)
    const isGone = (sample: FuzzSample): boolean => isChosen(sample.labels) && isInRange(sample, choice)
    const packed = random.below(4) === 0 ? packedStore(samples) : undefined
    const stored = packed?.replica ?? filedStore(samples)
    const left = new SampleStore()
    for (const sample of samples) if (!isGone(sample)) left.writer.append(sample.labels, sample)
    const count = runToEnd(countChosen(stored, choice))
    const due = samples.filter((sample) => isGone(sample) && sample.isStale !== true).length
    const gone = packed === undefined ? deleteFromFiles(stored, choice) : deleteFromPacked(packed, choice)
    if (count !== due || gone !== due) return `${count} samples counted, ${gone} deleted, ${due} chosen`
    const times = { startMs, endMs, stepMs }
    const [expected, found] = [await runQuery(text, times, left.reader), await runQuery(text, times, stored.reader)]
    if ('error' in expected || 'error' in found) {
      const codes = [expected, found].map((given) => ('error' in given ? given.error : 'answered'))
      return codes[0] === codes[1] ? undefined : `never sent ${codes[0]}, deleted ${codes[1]}`
    }
    return firstDifference(expected.values, found.values, isSameButHints)
  },
}
