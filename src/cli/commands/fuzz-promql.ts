import type { Command } from 'commander'
import { knownDifferences, runPromqlFuzz, type PromqlFuzzReport } from '../../fuzz/promql/index.ts'
import type { CommandModule } from '../command.ts'
import { filesFingerprint } from './fuzz-ledger.ts'
import { addFuzzOptions, percent, runVocabulary, type FuzzArguments, type Vocabulary } from './fuzz-run.ts'

/** Everything that an answer to a metric query depends on. */
const MEANING = [
  'base/regex.ts',
  'data/histogram-arithmetic.ts',
  'data/histogram.ts',
  'data/kahan.ts',
  'data/labels.ts',
  'plan/series',
  'lang/promql',
  'functions/series',
  'optimize/series',
  'store/samples',
  'store/sqlite/histogram-bytes.ts',
  'store/sqlite/sample-conditions.ts',
  'store/sqlite/samples.ts',
  'backends/columnar/series',
  'engine/promql.ts',
  'fuzz/promql',
]

const metrics: Vocabulary<PromqlFuzzReport> = {
  fingerprint: (sourceFolder) => filesFingerprint(sourceFolder, MEANING),
  chunkCases: 10_000,
  run: runPromqlFuzz,
  failureText: ({ law, seed, text, message }) => `${law}, seed ${seed}: ${text}\n  ${message}`,
  summary: ({ cases, failures, refused, emptyAnswers, hasSecondReader }) => ({
    lines: hasSecondReader ? [] : ['The second reader is not installed; its law was not tested.'],
    sentence: `${cases} cases, ${failures.length} differences, ${percent(refused, cases)} % refused, ${percent(emptyAnswers, cases)} % empty, ${knownDifferences.length} listed kinds of reader difference`,
  }),
  isWhole: ({ hasSecondReader }) => hasSecondReader,
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  addFuzzOptions(command).action((options: FuzzArguments) => runVocabulary(metrics, options, terminal))
}
