import type { Command } from 'commander'
import { knownDifferences, runPromqlFuzz, type PromqlFuzzReport } from '../../fuzz/promql/index.ts'
import type { CommandModule } from '../command.ts'
import { addFuzzOptions, percent, runVocabulary, type FuzzArguments, type Vocabulary } from './fuzz-run.ts'

const metrics: Vocabulary<PromqlFuzzReport> = {
  run: runPromqlFuzz,
  failureText: ({ law, seed, text, message }) => `${law}, seed ${seed}: ${text}\n  ${message}`,
  summary: ({ cases, failures, refused, emptyAnswers, hasSecondReader }) => ({
    lines: hasSecondReader ? [] : ['The second reader is not installed; its law was not tested.'],
    sentence: `${cases} cases, ${failures.length} differences, ${percent(refused, cases)} % refused, ${percent(emptyAnswers, cases)} % empty, ${knownDifferences.length} listed kinds of reader difference`,
  }),
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  addFuzzOptions(command).action((options: FuzzArguments) => runVocabulary(metrics, options, terminal))
}
