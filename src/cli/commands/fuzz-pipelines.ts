import type { Command } from 'commander'
import { printPipelineCase, runPipelineFuzz, type PipelineFuzzReport } from '../../fuzz/index.ts'
import type { CommandModule } from '../command.ts'
import { addFuzzOptions, runVocabulary, seedSummary, type FuzzArguments, type Vocabulary } from './fuzz-run.ts'

const pipelines: Vocabulary<PipelineFuzzReport> = {
  isSelective: true,
  run: runPipelineFuzz,
  failureText: ({ law, seed, body, rows, message }) =>
    `${law}, seed ${seed}, ${rows.length} rows: ${JSON.stringify(body)}\n  ${message}`,
  keptFile: (failure, index) => ({
    name: `${failure.law}-${failure.seed}-${index}.json`,
    text: printPipelineCase(failure),
  }),
  summary: seedSummary('pipelines'),
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  addFuzzOptions(command).action((options: FuzzArguments) => runVocabulary(pipelines, options, terminal))
}
